import { type ErrorCode, type ErrorDetail, ERRORS, isErrorCode } from '@vaani/contracts'
import { ApiError } from './api-error.ts'

/** A problem found by `readInput`, in zod's form. */
interface Issue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
  readonly code?: string | undefined
  readonly keys?: readonly string[] | undefined
  /** Of a union: the issues of each of its forms. */
  readonly errors?: readonly (readonly Issue[])[] | undefined
  readonly params?: { readonly error_code?: unknown } | undefined
}

export interface RequestIssues {
  path: readonly Issue[]
  headers: readonly Issue[]
  query: readonly Issue[]
  body: readonly Issue[]
}

interface Problem extends ErrorDetail {
  code: ErrorCode
}

const MAX_DETAILS = 20
const MAX_PARAM_LENGTH = 100

function dotPath(issue: Issue, part: keyof RequestIssues): string | null {
  const steps = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step))
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys?.[0] : undefined
  if (unknownKey !== undefined) steps.push(unknownKey)
  if (steps.length === 0) return part === 'body' ? null : part
  return steps.join('.').slice(0, MAX_PARAM_LENGTH)
}

/** Replaces the issue of a union with those of its form, if the value has the type of one form alone. */
function unfold(issue: Issue): Issue[] {
  const forms = issue.errors?.filter((form) => form.every(({ path = [] }) => path.length > 0)) ?? []
  const [form] = forms
  if (form === undefined || forms.length > 1) return [issue]
  return form.flatMap((inner) => unfold({ ...inner, path: [...(issue.path ?? []), ...(inner.path ?? [])] }))
}

function toProblem(issue: Issue, part: keyof RequestIssues): Problem {
  const code = issue.params?.error_code
  return {
    code: isErrorCode(code) ? code : 'invalid_request',
    param: dotPath(issue, part),
    message: issue.message,
  }
}

/** Status codes in the order of checks: shape, meaning, existence. */
const ORDER = [400, 422, 404]

/** Report malformed (400) before invalid (422) before not found (404), and specific codes before `invalid_request`. */
function rank({ code }: Problem): number {
  const place = ORDER.indexOf(ERRORS[code].status)
  return (place === -1 ? ORDER.length : place) * 2 + (code === 'invalid_request' ? 1 : 0)
}

/** Combines all problems of a request into one error. The first by rank determines it; `details` lists up to 20. */
export function toValidationError(issues: RequestIssues): ApiError {
  const problems = (['path', 'headers', 'query', 'body'] as const)
    .flatMap((part) => issues[part].flatMap(unfold).map((issue) => toProblem(issue, part)))
    .toSorted((a, b) => rank(a) - rank(b))
  const first = problems[0]
  if (first === undefined) return new ApiError('invalid_request', 'The request is not valid')
  return new ApiError(
    first.code,
    first.param === null ? `The body ${first.message}` : `${first.param}: ${first.message}`,
    {
      param: first.param,
      details: problems.slice(0, MAX_DETAILS).map(({ param, message }) => ({ param, message })),
    },
  )
}
