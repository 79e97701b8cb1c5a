const LONGEST_DECISION_WORDS = 300
const LONGEST_SUBJECT = 72

/** Returns what is wrong with decisions: they are read whole, so they are short. */
export const findDecisionProblems = (decisions: Readonly<Record<string, string>>): string[] =>
  Object.entries(decisions).flatMap(([file, text]) => {
    const words = text.split(/\s+/).filter((word) => word !== '').length
    return words <= LONGEST_DECISION_WORDS
      ? []
      : [
          `${file} has ${words} words. Keep the decision and the reasons that still hold, in ${LONGEST_DECISION_WORDS}; put measurements into docs/measured.`,
        ]
  })

/** Returns what is wrong with subjects of commits: one must be able to scan a list of them. */
export const findSubjectProblems = (subjects: readonly string[]): string[] =>
  subjects.flatMap((subject) => {
    if (subject.length > LONGEST_SUBJECT)
      return [`A commit's subject has ${subject.length} characters of ${LONGEST_SUBJECT}: ${subject}`]
    return /^[a-z][\w-]*(?:, [a-z][\w-]*)*: \S/.test(subject)
      ? []
      : [`A commit's subject begins with its scope, such as “webhooks: …”: ${subject}`]
  })
