//! Measuring three times and believing the middle one.

/// The middle of three measurements, and how far apart they were.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Median {
    /// The middle one.
    pub value: f64,
    /// The largest divided by the smallest; 1 when all were alike, infinite when the smallest is 0.
    pub spread: f64,
}

/// Measures three times, one after the other, and answers the middle one.
///
/// # Errors
///
/// The first error of a measurement; no further one is made then.
pub fn median_of_three<E>(mut measure: impl FnMut() -> Result<f64, E>) -> Result<Median, E> {
    let mut values = [measure()?, measure()?, measure()?];
    values.sort_by(f64::total_cmp);
    let [smallest, value, largest] = values;
    Ok(Median { value, spread: if largest == smallest { 1.0 } else { largest / smallest } })
}

#[cfg(test)]
mod tests {
    use super::{Median, median_of_three};

    #[test]
    fn the_middle_one_is_believed() {
        let mut values = [8.0, 1.0, 2.0].into_iter();
        let median = median_of_three(|| values.next().ok_or("no more"));
        assert_eq!(median, Ok(Median { value: 2.0, spread: 8.0 }));
    }

    #[test]
    fn an_error_ends_the_measuring() {
        let mut values = [8.0].into_iter();
        assert_eq!(median_of_three(|| values.next().ok_or("no more")), Err("no more"));
        let zero = median_of_three(|| Ok::<_, ()>(0.0));
        assert_eq!(zero, Ok(Median { value: 0.0, spread: 1.0 }));
    }
}
