/** Types of the DOM that the declarations of aws4fetch expect; Node declares none of these names. */
type BodyInit = NonNullable<RequestInit['body']>
type HeadersInit = NonNullable<RequestInit['headers']>
