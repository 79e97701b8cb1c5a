import type { OcrDocument, OcrDocumentPages } from '@vaani/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const POLL_MS = 5000

const TONES: Readonly<Record<OcrDocument['status'], Tone>> = {
  queued: 'busy',
  processing: 'busy',
  completed: 'good',
  failed: 'bad',
}

/** One document that is read in the background: how far it is, and what stands on its pages. */
export function DocumentPage({ id }: { id: string }) {
  const read = useInfiniteQuery({
    queryKey: ['document', id],
    queryFn: ({ pageParam, signal }) => vaani.ocr.retrieve(id, { after: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ has_more, pages }) => (has_more ? pages.at(-1)?.number : undefined),
    select: ({ pages: parts }) =>
      parts.reduce((whole, part) => ({ ...whole, pages: [...whole.pages, ...part.pages] })),
    refetchInterval: ({ state: { data } }) => (data?.pages[0]?.completed_at === null ? POLL_MS : false),
  })
  return (
    <Loaded read={read} list={{ path: '/playground?try=document', title: t.playground.title }} title={id}>
      {(document) => (
        <>
          <PageHeader title={t.documents.title}>
            <span aria-live="polite">
              <Status of={document} />
            </span>
          </PageHeader>
          <Facts
            of={[
              [t.common.id, <CopiedId key="id" id={document.document_id} />],
              [t.documents.language, document.language],
              [t.documents.read, document.counts.read],
              [t.documents.unreadable, document.counts.unreadable],
              [t.documents.sent, <Time key="sent" at={document.created_at} />],
              [
                t.documents.completed,
                document.completed_at && <Time key="completed" at={document.completed_at} />,
              ],
              [t.documents.erased, <Time key="erased" at={document.expires_at} />],
            ]}
          />
          {document.pages.map((page) => (
            <Page key={page.number} of={page} />
          ))}
          {read.hasNextPage && (
            <button
              type="button"
              className="more"
              disabled={read.isFetchingNextPage}
              onClick={() => void read.fetchNextPage()}
            >
              {t.common.more}
            </button>
          )}
          <JsonView of={document} />
        </>
      )}
    </Loaded>
  )
}

const Status = ({ of: { status, failure_reason } }: { of: OcrDocument }) => (
  <Badge tone={TONES[status]}>
    {`${t.documents.statuses[status]}${failure_reason === null ? '' : ` (${t.documents.failures[failure_reason]})`}`}
  </Badge>
)

const Page = ({ of: page }: { of: OcrDocumentPages['pages'][number] }) => (
  <section aria-labelledby={`page-${page.number}`}>
    <h2 id={`page-${page.number}`}>{t.documents.page(page.number)}</h2>
    {page.error === null ? (
      <pre tabIndex={0} aria-labelledby={`page-${page.number}`}>
        {page.text}
      </pre>
    ) : (
      <p>{t.documents.pageErrors[page.error.code]}</p>
    )}
  </section>
)
