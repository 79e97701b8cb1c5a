import type { MigrationReport, PairSide } from '@vaani/client'
import { t } from '../../text/text.ts'
import { countText } from './numbers.ts'

type Ending = NonNullable<PairSide['ending']>
const ENDINGS: readonly Ending[] = ['approved', 'review', 'declined', 'refused', 'failed', 'unfinished']

/** How often which ending of v1 met which of v2. */
export function Decisions({ of: confusion }: { of: MigrationReport['confusion'] }) {
  const counts = new Map(confusion.map(({ v1, v2, pairs }) => [`${v1} ${v2}`, pairs]))
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions">{t.migration.decisions}</h2>
      {confusion.length === 0 ? (
        <p>{t.migration.noPairs}</p>
      ) : (
        // It has one shape on every screen, so a narrow one scrolls it.
        <div className="matrix" tabIndex={0} role="group" aria-labelledby="decisions">
          <table>
            <thead>
              <tr>
                <th scope="col">v1 ↓ v2 →</th>
                {ENDINGS.map((v2) => (
                  <th key={v2} scope="col">
                    {t.migration.endings[v2]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ENDINGS.map((v1) => (
                <tr key={v1}>
                  <th scope="row">{t.migration.endings[v1]}</th>
                  {ENDINGS.map((v2) => (
                    <Cell key={v2} pairs={counts.get(`${v1} ${v2}`) ?? 0} isSame={v1 === v2} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const Cell = ({ pairs, isSame }: { pairs: number; isSame: boolean }) => (
  <td className={pairs === 0 ? 'none' : isSame ? 'same' : 'differs'}>{countText(pairs)}</td>
)
