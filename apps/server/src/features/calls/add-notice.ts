import type { Logger } from '@vaani/service-kit/telemetry/log'
import { isSimulator } from './rules/choose-carrier.ts'
import type { Greeting } from './rules/greeting.ts'
import { noticeOf, type NoticeMode } from './rules/notices.ts'

/** Lets an agent say first what the law asks for at the number. A simulator rings nobody who could be told. */
export type AddNotice = (
  greeting: Greeting,
  call: { callId: string; number: string; carrier: string },
) => Greeting

export const createAddNotice =
  (mode: NoticeMode, log: Logger): AddNotice =>
  (greeting, { callId, number, carrier }) => {
    const { language } = greeting
    const notice = isSimulator(carrier) ? null : noticeOf(mode, { number, language })
    if (notice === null) return greeting
    if (notice !== 'no_words') return { ...greeting, notice }
    log.warn(
      { call_id: callId, language },
      'A notice is due that we have no words for in the language of a call',
    )
    return greeting
  }
