//! The profile that comes with the program.

use crate::{InvalidProfile, Profile};

/// The built-in price profile: the offline provider at its explicit price of zero.
///
/// # Errors
///
/// [`InvalidProfile`] if the file that was compiled in is wrong, which a test rules out.
pub fn built_in() -> Result<Profile, InvalidProfile> {
    Profile::from_toml(include_str!("built_in.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_profile_is_valid() {
        assert!(built_in().unwrap().price("offline", "extractive-1").is_some());
    }
}
