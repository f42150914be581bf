//! One statement for many rows at the price of few hops.

/// A statement that stands in a text once, four and sixteen times, each time with its own arguments.
///
/// Every text that is run costs a hop to the connection's thread and back, about twice what a row
/// costs; so many rows are written sixteen, four or one at a time. The statement's parameters must be
/// plain `?`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Repeated {
    pub(crate) once: &'static str,
    pub(crate) four_times: &'static str,
    pub(crate) sixteen_times: &'static str,
}

impl Repeated {
    /// The text that takes the most of `rows` rows, and how many it takes; `None` for no rows.
    pub(crate) const fn largest(&self, rows: usize) -> Option<(&'static str, usize)> {
        match rows {
            0 => None,
            1..4 => Some((self.once, 1)),
            4..16 => Some((self.four_times, 4)),
            _ => Some((self.sixteen_times, 16)),
        }
    }
}

/// The statement of a file, [`Repeated`].
macro_rules! repeated {
    ($file:literal) => {
        $crate::repeated::Repeated {
            once: include_str!($file),
            four_times: $crate::repeated::four_times!($file),
            sixteen_times: concat!(
                $crate::repeated::four_times!($file),
                $crate::repeated::four_times!($file),
                $crate::repeated::four_times!($file),
                $crate::repeated::four_times!($file),
            ),
        }
    };
}

macro_rules! four_times {
    ($file:literal) => {
        concat!(
            include_str!($file),
            ";\n",
            include_str!($file),
            ";\n",
            include_str!($file),
            ";\n",
            include_str!($file),
            ";\n",
        )
    };
}

pub(crate) use {four_times, repeated};
