//! Files that are numbered `0001_…`, `0002_…` without a gap.

use crate::problem::Problem;

/// The problems of the numbers in the names of a folder's files, such as `0001-title.md`.
///
/// Each name must begin with four digits and the separator, and the numbers must be 1, 2, 3, …
/// without a gap or a repetition.
pub(crate) fn check(folder: &str, names: &[&str], separator: char) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut numbered = Vec::new();
    for name in names {
        match number(name, separator) {
            Some(number) => numbered.push((number, *name)),
            None => problems.push(Problem::new(
                format!("{folder}/{name}"),
                format!("begin the name with four digits and `{separator}`, as in 0001{separator}"),
            )),
        }
    }
    numbered.sort_unstable();
    for (expected, (number, name)) in (1..).zip(numbered) {
        if number != expected {
            let says = format!("is number {number:04} where {expected:04} comes next; renumber it");
            problems.push(Problem::new(format!("{folder}/{name}"), says));
            break;
        }
    }
    problems
}

fn number(name: &str, separator: char) -> Option<u32> {
    let (digits, _) = name.split_once(separator)?;
    let four = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    four.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn numbers_without_a_gap_are_fine() {
        assert_eq!(check("m", &["0002_b.sql", "0001_a.sql"], '_'), []);
    }

    #[test]
    fn a_gap_a_repetition_and_a_missing_number_are_problems() {
        let says =
            |names: &[&str]| check("m", names, '_').iter().map(ToString::to_string).collect();
        let gap: Vec<String> = says(&["0001_a.sql", "0003_c.sql"]);
        assert_eq!(gap, ["m/0003_c.sql: is number 0003 where 0002 comes next; renumber it"]);
        let twice: Vec<String> = says(&["0001_a.sql", "0001_b.sql"]);
        assert_eq!(twice, ["m/0001_b.sql: is number 0001 where 0002 comes next; renumber it"]);
        let none: Vec<String> = says(&["1_a.sql"]);
        assert_eq!(none, ["m/1_a.sql: begin the name with four digits and `_`, as in 0001_"]);
    }
}
