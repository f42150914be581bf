//! Personal data and secrets, found conservatively: what documentation shows as an example is none.

mod checks;
mod patterns;

/// A kind of personal data or secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pii {
    /// An e-mail address outside the reserved example domains.
    Email,
    /// A telephone number in international form or with an area code in brackets.
    Phone,
    /// An IBAN with a right checksum.
    Iban,
    /// A payment card number with a right checksum.
    Card,
    /// A number or code that a state gives a person.
    NationalId,
    /// A private key in PEM form.
    PrivateKey,
    /// A key or token of a known service's form.
    ApiKey,
}

impl Pii {
    /// Its name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Email => "e-mail address",
            Self::Phone => "telephone number",
            Self::Iban => "bank account number",
            Self::Card => "payment card number",
            Self::NationalId => "national identification number",
            Self::PrivateKey => "private key",
            Self::ApiKey => "access key",
        }
    }
}

/// The kinds that `text` holds, each once.
pub(super) fn scan(text: &str) -> Vec<Pii> {
    let mut found = Vec::new();
    for pattern in patterns::all() {
        let holds = pattern.regex.find_iter(text).any(|hit| (pattern.confirm)(hit.as_str()));
        if holds && !found.contains(&pattern.pii) {
            found.push(pattern.pii);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn personal_data_and_secrets_are_found() {
        for (text, pii) in [
            ("mail anna@firma-mueller.de now", Pii::Email),
            ("call +49 30 901820 today", Pii::Phone),
            ("call (212) 664-7665 today", Pii::Phone),
            ("IBAN DE89 3704 0044 0532 0130 00.", Pii::Iban),
            ("card 4539 5787 6362 1486", Pii::Card),
            ("SSN 536-22-8726", Pii::NationalId),
            ("DNI 12345678Z", Pii::NationalId),
            ("-----BEGIN RSA PRIVATE KEY-----", Pii::PrivateKey),
            ("AKIAQ3EGPZ7KXWJ5NVRT", Pii::ApiKey),
            ("ghp_Zx81kQ02mBvR7tLs94HdYc6WnJfPa35UeGiO", Pii::ApiKey),
        ] {
            assert_eq!(scan(text), [pii], "{text}");
        }
    }

    #[test]
    fn examples_versions_dates_and_digests_are_none() {
        for text in [
            "user@example.com, root@host.example, a@b.test, git@github.com:x/y.git, me@localhost",
            "version 1.2.3.4 of 2024-11-30T12:00:00Z, port 5432, 1000000000000000000",
            "call 555-0123 or +1 212 555 0142",
            "4111 1111 1111 1111, 4242424242424242",
            "078-05-1120, 000-12-3456, 2024-05-1120",
            "AKIAIOSFODNN7EXAMPLE and sk-xxxxxxxxxxxxxxxxxxxxxxxx and sk-your-key-goes-here-please",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "0192f0c1-2345-7abc-8def-0123456789ab, GB82 WEST 1234 5698 7654 33",
        ] {
            assert_eq!(scan(text), [], "{text}");
        }
    }
}
