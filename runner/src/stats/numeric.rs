//! The few numerical tools the formulas share.

use std::f64::consts::SQRT_2;

/// The 97.5 % quantile of the normal law: half the width of a 95 % interval in standard errors.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// The distribution function of the standard normal law.
pub(super) fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// `exp(exponent) · normal_cdf(x)` without overflow where a huge factor meets a tiny one.
pub(super) fn exp_times_normal_cdf(exponent: f64, x: f64) -> f64 {
    if x > -30.0 {
        // Under x = -30 the distribution function itself nears the smallest number there is.
        return (exponent + normal_cdf(x).ln()).exp();
    }
    // Mills' ratio: the tail is the density over |x|, times 1 - 1/x² + 3/x⁴ - …
    let square = x * x;
    let tail = (1.0 - 1.0 / square + 3.0 / (square * square)) / -x;
    (exponent - 0.5 * square).exp() * tail / (2.0 * std::f64::consts::PI).sqrt()
}

/// The zero of a function that is positive at `low` and negative at `high`, where neither end need be evaluated: a pole
/// is allowed there. Secant steps (Illinois) with a bisection every third time; ends when the bracket is as
/// narrow as numbers allow or the function is exactly zero.
pub(super) fn falling_root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut at_low, mut at_high) = (f64::INFINITY, f64::NEG_INFINITY);
    for step in 0..300 {
        let middle = 0.5 * (low + high);
        if high - low <= 4.0 * f64::EPSILON * (low.abs() + high.abs()) || middle <= low || middle >= high {
            break;
        }
        let secant = low + (high - low) * at_low / (at_low - at_high);
        let x = if step % 3 != 2 && secant > low && secant < high { secant } else { middle };
        let value = f(x);
        if value > 0.0 {
            (low, at_low) = (x, value);
            at_high *= 0.5;
        } else if value < 0.0 {
            (high, at_high) = (x, value);
            at_low *= 0.5;
        } else {
            return x;
        }
    }
    0.5 * (low + high)
}

/// The chance that a chi-squared variable with `dof` degrees of freedom exceeds `x`. Closed form by the recurrence
/// `Q(d + 2) = Q(d) + (x/2)^(d/2) e^(-x/2) / Γ(d/2 + 1)` from `Q(1) = erfc(√(x/2))` and `Q(2) = e^(-x/2)`
/// (Abramowitz and Stegun 26.4.4, 26.4.5). With no degree of freedom nothing is tested: 1.
pub(super) fn chi_squared_tail(x: f64, dof: u32) -> f64 {
    if dof == 0 || x <= 0.0 {
        return 1.0;
    }
    let half = 0.5 * x;
    let (mut tail, mut d) = if dof % 2 == 1 { (libm::erfc(half.sqrt()), 1) } else { ((-half).exp(), 2) };
    while d < dof {
        let power = 0.5 * f64::from(d);
        tail += (power * half.ln() - half - libm::lgamma(power + 1.0)).exp();
        d += 2;
    }
    tail.min(1.0)
}

/// The chance that a binomial variable of `n` trials with chance `p` reaches `k` or more. Summed from `k` up
/// in logarithms, so that small tails keep their digits.
pub(super) fn binomial_upper_tail(k: u64, n: u64, p: f64) -> f64 {
    if k == 0 || p >= 1.0 {
        return 1.0;
    }
    if p <= 0.0 || k > n {
        return 0.0;
    }
    let log_gamma = |m: u64| libm::lgamma(m as f64 + 1.0);
    let mut term =
        (log_gamma(n) - log_gamma(k) - log_gamma(n - k) + k as f64 * p.ln() + (n - k) as f64 * (-p).ln_1p()).exp();
    let mut sum = 0.0;
    for i in k..=n {
        sum += term;
        if term < sum * f64::EPSILON && i as f64 > n as f64 * p {
            break;
        }
        term *= (n - i) as f64 / (i as f64 + 1.0) * p / (1.0 - p);
    }
    sum.min(1.0)
}

/// The `p` quantile of ascending values, by linear interpolation. Panics if there are none.
pub(super) fn quantile_of_sorted(sorted: &[f64], p: f64) -> f64 {
    let place = p * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_agree_with_tables() {
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-15);
        // Critical values at 5 %, from any printed table of chi-squared.
        for (dof, x) in [(1, 3.841459), (2, 5.991465), (3, 7.814728), (4, 9.487729), (9, 16.918978)] {
            assert!((chi_squared_tail(x, dof) - 0.05).abs() < 1e-7, "{dof}");
        }
        // Three or more sixes in ten throws of a die.
        assert!((binomial_upper_tail(3, 10, 1.0 / 6.0) - 0.224_773).abs() < 1e-6);
        assert_eq!(binomial_upper_tail(0, 10, 0.5), 1.0);
        assert!((binomial_upper_tail(10, 10, 0.5) - 0.5f64.powi(10)).abs() < 1e-15);
    }

    #[test]
    fn a_tiny_tail_times_a_huge_factor_is_smooth() {
        let near = exp_times_normal_cdf(440.0, -29.999_999);
        let beyond = exp_times_normal_cdf(440.0, -30.000_001);
        assert!((near / beyond - 1.0).abs() < 1e-3);
        assert!(exp_times_normal_cdf(5000.0, -100.5).is_finite());
    }

    #[test]
    fn root_next_to_a_pole_is_found() {
        let root = falling_root(0.0, 1.0, |x| 1e-9 / x - 1.0 / (1.0 - x));
        assert!((root / 1e-9 - 1.0).abs() < 1e-6);
    }
}
