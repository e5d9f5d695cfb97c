//! Quantiles of a sample, for times and other quantities without a model.

/// The `p`-quantile, `p` in \[0, 1\], by linear interpolation between order statistics (type 7 of Hyndman and Fan, *Sample
/// Quantiles in Statistical Packages*, 1996; the default of R and NumPy). `None` for an empty sample. `sorted` is ascending.
pub fn quantile(sorted: &[u32], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = p.clamp(0.0, 1.0) * last as f64;
    let (below, above) = (place.floor(), place.ceil());
    let value = |at: f64| f64::from(sorted[at as usize]);
    Some(value(below) + (place - below) * (value(above) - value(below)))
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn as_r_and_numpy_have_it() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[7], 0.9), Some(7.0));
        assert_eq!(quantile(&[1, 2, 3, 4], 0.5), Some(2.5));
        assert_eq!(quantile(&[0, 10], 0.25), Some(2.5));
        assert_eq!(quantile(&[1, 2, 3], 1.0), Some(3.0));
    }
}
