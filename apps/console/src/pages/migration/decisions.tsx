import type { MigrationReport } from '@vaani/client'
import { type DecisionCell, ENDINGS, layOutDecisions } from '@vaani/migration-charts'
import { t } from '../../text/text.ts'

/** How often which ending of v1 met which of v2. */
export function Decisions({ of: confusion }: { of: MigrationReport['confusion'] }) {
  const { total, rows } = layOutDecisions(confusion)
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions">{t.migration.decisions}</h2>
      {total === 0 ? (
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
              {rows.map(({ v1, cells }) => (
                <tr key={v1}>
                  <th scope="row">{t.migration.endings[v1]}</th>
                  {cells.map(({ v2, ...cell }) => (
                    <td key={v2} className={classOf(cell)}>
                      {t.formats.number(cell.pairs)}
                    </td>
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

const classOf = ({ isSame, depth }: Omit<DecisionCell, 'v2'>): string =>
  depth === null ? 'none' : `${isSame ? 'same' : 'differs'} depth-${depth}`
