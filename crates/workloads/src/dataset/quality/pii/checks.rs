//! What a hit must pass besides its shape: checksums, and not being a known example.

/// Domains that are reserved for examples and tests. Source: RFC 2606, RFC 6761.
const EXAMPLE_DOMAINS: &[&str] = &["example.com", "example.net", "example.org", "example.edu"];
/// Top-level names that are reserved likewise.
const EXAMPLE_ENDS: &[&str] = &["example", "test", "invalid", "localhost", "local", "internal"];
/// Local parts that name no person.
const ROLES: &[&str] = &["git", "hg", "svn", "noreply", "no-reply", "donotreply"];
/// Card numbers that payment services publish for tests.
const TEST_CARDS: &[&str] = &[
    "4242424242424242",
    "4111111111111111",
    "4012888888881881",
    "4000056655665556",
    "5555555555554444",
    "5105105105105100",
    "2223003122003222",
    "378282246310005",
    "371449635398431",
    "6011111111111117",
    "6011000990139424",
    "3530111333300000",
    "3056930009020004",
    "30569309025904",
];
/// Account numbers that standards and banks publish as examples.
const EXAMPLE_IBANS: &[&str] =
    &["GB82WEST12345698765432", "GB29NWBK60161331926819", "FR1420041010050500013M02606"];

pub(super) const fn any(_hit: &str) -> bool {
    true
}

pub(super) fn email(hit: &str) -> bool {
    let lower = hit.to_lowercase();
    let Some((local, domain)) = lower.rsplit_once('@') else { return false };
    let end = domain.rsplit('.').next().unwrap_or_default();
    let is_example = EXAMPLE_DOMAINS.iter().any(|example| {
        domain.strip_suffix(example).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    });
    !is_example && !EXAMPLE_ENDS.contains(&end) && !ROLES.contains(&local)
}

pub(super) fn phone(hit: &str) -> bool {
    let digits = digits(hit);
    let enough = (9..=15).contains(&digits.len()) && hit.contains([' ', '-', '.', '(', '/'])
        || (11..=15).contains(&digits.len());
    // Source: North American Numbering Plan, 555-0100 to 555-0199 are for fiction.
    let tail = digits.get(digits.len().saturating_sub(7)..).unwrap_or_default();
    enough && !tail.starts_with("55501") && !is_monotone(&digits)
}

pub(super) fn iban(hit: &str) -> bool {
    let code: String = hit.chars().filter(|c| !c.is_whitespace()).collect();
    // Source: ISO 13616: the first four characters go to the end, letters count from 10.
    let (Some(head), Some(body)) = (code.get(..4), code.get(4..)) else { return false };
    let rest = body.chars().chain(head.chars()).try_fold(0_u32, |rest, c| {
        let value = c.to_digit(36)?;
        Some(if value < 10 { rest * 10 + value } else { rest * 100 + value } % 97)
    });
    (15..=34).contains(&code.len()) && rest == Some(1) && !EXAMPLE_IBANS.contains(&code.as_str())
}

pub(super) fn card(hit: &str) -> bool {
    let digits = digits(hit);
    let issued =
        digits.starts_with(['4', '5', '6']) || digits.starts_with("34") || digits.starts_with("37");
    (14..=16).contains(&digits.len())
        && issued
        && luhn(&digits)
        && !TEST_CARDS.contains(&digits.as_str())
        && !is_monotone(&digits)
}

/// Source: Social Security Administration, numbers that are never given, and one from a wallet.
pub(super) fn social_security(hit: &str) -> bool {
    let mut parts = hit.split('-');
    let (Some(area), Some(group), Some(serial)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    area != "000"
        && area != "666"
        && !area.starts_with('9')
        && group != "00"
        && serial != "0000"
        && !["078-05-1120", "219-09-9999", "123-45-6789"].contains(&hit)
}

/// Source: Ministerio del Interior: the letter is the number modulo 23.
pub(super) fn spanish_id(hit: &str) -> bool {
    let number: String = hit
        .chars()
        .take(8)
        .map(|c| match c {
            'X' => '0',
            'Y' => '1',
            'Z' => '2',
            digit => digit,
        })
        .collect();
    let Ok(number) = number.parse::<usize>() else { return false };
    let letter = "TRWAGMYFPDXBNJZSQVHLCKE".chars().nth(number % 23);
    letter.is_some() && letter == hit.chars().next_back()
}

/// A key is random: it has digits, letters, and many different ones; an example says so.
pub(super) fn secret(hit: &str) -> bool {
    let lower = hit.to_lowercase();
    let mut different: Vec<char> = lower.chars().collect();
    different.sort_unstable();
    different.dedup();
    let is_example =
        ["example", "xxxx", "your", "placeholder", "dummy", "redacted", "....", "0000"]
            .iter()
            .any(|word| lower.contains(word));
    different.len() >= 10 && lower.contains(|c: char| c.is_ascii_digit()) && !is_example
}

fn digits(hit: &str) -> String {
    hit.chars().filter(char::is_ascii_digit).collect()
}

/// Source: ISO/IEC 7812-1, annex B.
fn luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .chars()
        .rev()
        .filter_map(|c| c.to_digit(10))
        .enumerate()
        .map(|(at, digit)| match (at % 2, digit * 2) {
            (0, _) => digit,
            (_, double) => double / 10 + double % 10,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Whether a number is one digit over and over.
fn is_monotone(digits: &str) -> bool {
    let mut different: Vec<char> = digits.chars().collect();
    different.sort_unstable();
    different.dedup();
    different.len() <= 2
}
