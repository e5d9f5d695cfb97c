//! Dense symmetric matrices, as far as the fit of ratings needs them (a few hundred rows).

/// A square matrix, stored by rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    /// Row and column `k` become those of the identity: the variable is held where it is.
    pub(super) fn fix(&mut self, k: usize) {
        for i in 0..self.size {
            self.cells[i * self.size + k] = 0.0;
            self.cells[k * self.size + i] = 0.0;
        }
        self.cells[k * self.size + k] = 1.0;
    }

    /// Every cell multiplied by `factor`.
    pub(super) fn scaled(mut self, factor: f64) -> Matrix {
        for cell in &mut self.cells {
            *cell *= factor;
        }
        self
    }

    /// The product with another matrix of the same size.
    pub(super) fn times(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zero(self.size);
        for i in 0..self.size {
            for k in 0..self.size {
                let factor = self.at(i, k);
                if factor != 0.0 {
                    let target = &mut product.cells[i * self.size..(i + 1) * self.size];
                    for (cell, value) in target.iter_mut().zip(other.row(k)) {
                        *cell += factor * value;
                    }
                }
            }
        }
        product
    }
}

/// The lower triangle L with L·Lᵀ = a positive definite matrix.
pub(super) struct Cholesky {
    lower: Matrix,
}

impl Cholesky {
    /// `None` if some pivot is not greater than `least_pivot`: then the matrix is singular as far as we care.
    pub(super) fn new(matrix: &Matrix, least_pivot: f64) -> Option<Cholesky> {
        let mut lower = Matrix::zero(matrix.size);
        for i in 0..matrix.size {
            for j in 0..=i {
                let products = lower.row(i)[..j].iter().zip(&lower.row(j)[..j]);
                let rest = matrix.at(i, j) - products.map(|(a, b)| a * b).sum::<f64>();
                if j < i {
                    let value = rest / lower.at(j, j);
                    lower.add(i, j, value);
                } else if rest > least_pivot {
                    lower.add(i, i, rest.sqrt());
                } else {
                    return None;
                }
            }
        }
        Some(Cholesky { lower })
    }

    /// Solves `matrix · x = right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for i in 0..x.len() {
            let row = self.lower.row(i);
            let known: f64 = row[..i].iter().zip(&x).map(|(a, b)| a * b).sum();
            x[i] = (x[i] - known) / row[i];
        }
        for i in (0..x.len()).rev() {
            x[i] /= self.lower.at(i, i);
            let (before, rest) = x.split_at_mut(i);
            for (value, factor) in before.iter_mut().zip(self.lower.row(i)) {
                *value -= factor * rest[0];
            }
        }
        x
    }

    /// The inverse of the matrix.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.lower.size;
        let mut inverse = Matrix::zero(size);
        let mut unit = vec![0.0; size];
        for k in 0..size {
            unit[k] = 1.0;
            // Symmetric, so a column may be stored as a row.
            inverse.cells[k * size..(k + 1) * size].copy_from_slice(&self.solve(&unit));
            unit[k] = 0.0;
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_undoes_the_matrix() {
        let rows = [[4.0, 2.0, 0.6], [2.0, 5.0, 1.5], [0.6, 1.5, 3.8]];
        let mut matrix = Matrix::zero(3);
        for (i, row) in rows.iter().enumerate() {
            for (j, value) in row.iter().enumerate() {
                matrix.add(i, j, *value);
            }
        }
        let product = matrix.times(&Cholesky::new(&matrix, 0.0).unwrap().inverse());
        for i in 0..3 {
            for j in 0..3 {
                assert!((product.at(i, j) - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
        matrix.add(0, 0, -4.0);
        assert!(Cholesky::new(&matrix, 0.0).is_none());
    }
}
