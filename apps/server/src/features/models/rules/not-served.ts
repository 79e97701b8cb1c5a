/** What clients of OpenAI may ask for and this server does not have, and what it has instead. */
export const NOT_SERVED: Readonly<Record<string, string>> = {
  '/v1/responses': 'responses are not stored',
  '/v1/conversations': 'conversations are not stored, so send them to POST /v1/responses',
}
