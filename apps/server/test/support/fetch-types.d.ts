/** Types of the DOM that aws4fetch expects, whose declarations come with the source of `@vaani/cli`; Node declares none of these names. */
type BodyInit = NonNullable<RequestInit['body']>
type HeadersInit = NonNullable<RequestInit['headers']>
