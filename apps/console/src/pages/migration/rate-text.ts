import { t } from '../../text/text.ts'

/** Nothing was observed without a trial. */
export const rateText = (events: number, trials: number): string =>
  trials === 0 ? '–' : t.formats.share(events / trials)
