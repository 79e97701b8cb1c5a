import type { OcrResult } from '@vaani/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { curl } from '../../parts/curl.ts'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { AsCode } from './as-code.tsx'
import { Choice } from '../../parts/choice.tsx'
import { PageWithBoxes } from './page-with-boxes.tsx'

/** The scripts that every server reads. */
const LANGUAGES = ['en', 'ne', 'hi'] as const
/** Reads a picture or a PDF, and shows where each word stands. */
export function Reading() {
  const [file, setFile] = useState<File>()
  const [language, setLanguage] = useState('en')
  const read = useMutation({
    mutationFn: (request: { image: File; language: string }) => vaani.ocr.process(request),
  })
  const start = (image: File, chosen: string) => {
    setFile(image)
    read.mutate({ image, language: chosen })
  }
  return (
    <>
      <form
        className="fields wide"
        onChange={({ currentTarget }) => {
          const chosen = String(new FormData(currentTarget).get('language'))
          setLanguage(chosen)
          if (file && chosen !== language) start(file, chosen)
        }}
      >
        <div className="choices">
          <div className="field">
            <label htmlFor="file">{t.playground.file}</label>
            <input
              id="file"
              type="file"
              accept="image/*,application/pdf"
              onChange={({ currentTarget: { files } }) => files?.[0] && start(files[0], language)}
            />
          </div>
          <Choice name="language" label={t.playground.language} options={LANGUAGES} />
        </div>
        <p className="hint">{t.playground.fileHint}</p>
      </form>
      {read.isPending && <Loading />}
      {read.error && <Problem error={read.error} />}
      {read.data && file && <Read result={read.data} file={file} />}
      <AsCode
        command={curl('/v1/ocr/process', { image_b64: '…', language })}
        typescript={`const { text, pages } = await vaani.ocr.process({ image: 'letter.png', language: '${language}' })
console.log(text)`}
      />
    </>
  )
}

const Read = ({ result, file }: { result: OcrResult; file: File }) => (
  <>
    <Facts
      of={[
        [t.playground.confidence, t.formats.share(result.confidence)],
        [t.playground.pages, result.pages.length],
        ...Object.entries(result.fields ?? {}),
      ]}
    />
    <div className="reading">
      {result.pages[0] && <PageWithBoxes page={result.pages[0]} file={file} />}
      <pre tabIndex={0} aria-label={t.playground.text}>
        {result.text}
      </pre>
    </div>
    <JsonView of={result} />
  </>
)
