/** Loads the library when somebody signs in: it takes a fifth of a second, and most processes of the server never need it. */
export const loadWebAuthn = () => import('@simplewebauthn/server')
