//! Quantiles of a sample, for times and other quantities without a model.

use std::collections::BTreeMap;

/// A sample of whole numbers. It keeps how often each has been seen, so a million times in milliseconds take little memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    counts: BTreeMap<u32, u64>,
    count: u64,
}

impl Sample {
    /// Adds a number.
    pub fn push(&mut self, value: u32) {
        *self.counts.entry(value).or_default() += 1;
        self.count += 1;
    }

    /// Adds another sample.
    pub fn extend(&mut self, other: &Sample) {
        for (&value, count) in &other.counts {
            *self.counts.entry(value).or_default() += count;
        }
        self.count += other.count;
    }

    /// How many numbers it has.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their sum.
    pub fn sum(&self) -> f64 {
        self.counts.iter().map(|(&value, &count)| f64::from(value) * count as f64).sum()
    }

    /// How many are greater than `bound`.
    pub fn above(&self, bound: u32) -> u64 {
        self.counts.iter().rev().take_while(|(value, _)| **value > bound).map(|(_, count)| count).sum()
    }

    /// The `p`-quantile, `p` in \[0, 1\], by linear interpolation between order statistics (type 7 of Hyndman and Fan, *Sample
    /// Quantiles in Statistical Packages*, 1996; the default of R and NumPy). `None` for an empty sample.
    pub fn quantile(&self, p: f64) -> Option<f64> {
        let last = self.count.checked_sub(1)?;
        let place = p.clamp(0.0, 1.0) * last as f64;
        let (below, above) = (place.floor(), place.ceil());
        let low = self.at(below as u64)?;
        let high = self.at(above as u64)?;
        Some(low + (place - below) * (high - low))
    }

    /// The number at this place, from 0, in ascending order.
    fn at(&self, place: u64) -> Option<f64> {
        let mut seen = 0;
        let mut reached = self.counts.iter().filter(|(_, count)| {
            seen += **count;
            seen > place
        });
        reached.next().map(|(&value, _)| f64::from(value))
    }
}

impl FromIterator<u32> for Sample {
    fn from_iter<I: IntoIterator<Item = u32>>(values: I) -> Sample {
        let mut sample = Sample::default();
        values.into_iter().for_each(|value| sample.push(value));
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;

    fn sample(values: &[u32]) -> Sample {
        values.iter().copied().collect()
    }

    #[test]
    fn as_r_and_numpy_have_it() {
        assert_eq!(sample(&[]).quantile(0.5), None);
        assert_eq!(sample(&[7]).quantile(0.9), Some(7.0));
        assert_eq!(sample(&[4, 2, 3, 1]).quantile(0.5), Some(2.5));
        assert_eq!(sample(&[10, 0]).quantile(0.25), Some(2.5));
        assert_eq!(sample(&[1, 2, 3]).quantile(1.0), Some(3.0));
        assert_eq!(sample(&[5, 5, 5, 9, 5]).quantile(0.875), Some(7.0));
    }

    #[test]
    fn counts_and_sums() {
        let mut both = sample(&[1, 2, 2]);
        both.extend(&sample(&[2, 40]));
        assert_eq!(both, sample(&[1, 2, 2, 2, 40]));
        assert_eq!((both.count(), both.sum(), both.above(2), both.above(0)), (5, 47.0, 1, 5));
    }
}
