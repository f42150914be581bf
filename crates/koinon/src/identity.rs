//! What makes two submissions the same job.

use koinon_domain::{Digest, Kind, ProjectId};

/// Names the form of the digest, so that another form can never give the same one.
const FORM: &[u8] = b"koinon.identity.v1";

/// What a job is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sources<'a> {
    /// Its inputs: relative path and digest of each, in any order.
    List(&'a [(String, String)]),
    /// A key that the caller chose, in their place.
    Key(&'a str),
}

/// The identity of a job: the digest of everything that decides its result.
///
/// `configuration` is the resolved configuration of the workload, in any order. Limits, concurrency and
/// where the output goes do not belong to it.
#[must_use]
pub fn identity(
    kind: &Kind,
    project: &ProjectId,
    configuration: &[(String, String)],
    sources: Sources<'_>,
) -> Digest {
    let configuration = digest_of_pairs(configuration);
    let (form, sources) = match sources {
        Sources::List(list) => ("list", digest_of_pairs(list)),
        Sources::Key(key) => ("key", Digest::of(key.as_bytes())),
    };
    Digest::of_fields(&[
        FORM,
        kind.as_str().as_bytes(),
        project.as_str().as_bytes(),
        configuration.as_bytes(),
        form.as_bytes(),
        sources.as_bytes(),
    ])
}

fn digest_of_pairs(pairs: &[(String, String)]) -> Digest {
    let mut pairs: Vec<_> = pairs.iter().collect();
    pairs.sort_unstable();
    let fields = pairs.into_iter().flat_map(|(one, two)| [one.as_bytes(), two.as_bytes()]);
    Digest::of_fields(&fields.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(one, two)| ((*one).to_owned(), (*two).to_owned())).collect()
    }

    fn of(
        kind: &str,
        project: &str,
        configuration: &[(&str, &str)],
        sources: Sources<'_>,
    ) -> String {
        let (kind, project) = (Kind::try_new(kind).unwrap(), ProjectId::try_new(project).unwrap());
        identity(&kind, &project, &pairs(configuration), sources).to_string()
    }

    #[test]
    fn the_identity_of_a_job_never_changes() {
        // Finished jobs are found by this value: a change here runs all of them again.
        let files = pairs(&[("a.md", "00"), ("b.md", "01")]);
        let expected = "da9c5e227522eb215bb49a8d3443a4d52cc5eb31b7a24113c93d5b94696b61ad";
        assert_eq!(of("dataset", "docs", &[("seed", "0")], Sources::List(&files)), expected);
    }

    #[test]
    fn order_does_not_matter_and_everything_else_does() {
        let (files, turned) = (pairs(&[("a", "0"), ("b", "1")]), pairs(&[("b", "1"), ("a", "0")]));
        let base = of("k", "p", &[("x", "1"), ("y", "2")], Sources::List(&files));
        assert_eq!(of("k", "p", &[("y", "2"), ("x", "1")], Sources::List(&turned)), base);
        let swapped = pairs(&[("a", "1"), ("b", "0")]);
        for other in [
            of("l", "p", &[("x", "1"), ("y", "2")], Sources::List(&files)),
            of("k", "q", &[("x", "1"), ("y", "2")], Sources::List(&files)),
            of("k", "p", &[("x", "1"), ("y", "3")], Sources::List(&files)),
            of("k", "p", &[("x", "1"), ("y", "2")], Sources::List(&swapped)),
            of("k", "p", &[("x", "1"), ("y", "2")], Sources::List(&files[..1])),
            of("k", "p", &[("x", "1"), ("y", "2")], Sources::Key("a")),
        ] {
            assert_ne!(other, base);
        }
    }

    #[test]
    fn a_key_is_not_a_list_of_the_same_text() {
        assert_ne!(of("k", "p", &[], Sources::Key("")), of("k", "p", &[], Sources::List(&[])));
    }
}
