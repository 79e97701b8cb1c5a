/** What the home page says to somebody who begins. */
export const enFirstRun = {
  phone: 'Have a phone ring',
  phoneHint:
    'An agent calls this phone of the simulator, which picks up by itself. What was said is heard as soon as the call has ended.',
  ring: 'Ring it',
  seeCall: 'What happened in this call',
  next: 'Next step:',
  steps: {
    call: 'place the first call',
    webhook: 'create an endpoint that receives events',
    verification: 'verify the first person',
    member: 'invite somebody to this console',
  },
}
