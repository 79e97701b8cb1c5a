/** Text that a spreadsheet would run as a formula (OWASP, CSV Injection), or that begins with the apostrophes that prevent it. */
export const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/
