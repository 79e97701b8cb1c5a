/**
 * Asks for the key, then shows the report and renews it. The key comes from the fragment of the address, which browsers send to nobody,
 * and is kept for this tab only.
 */
export const LIVE_SCRIPT = `
'use strict'
const KEY = 'vaani-migration-key'
const EVERY_MS = 5000
const PATIENCE_MS = 15000
const element = (id) => document.getElementById(id)
const [form, input, toolbar, status, pause, forget] =
  ['login', 'key', 'toolbar', 'status', 'pause', 'forget'].map(element)
let timer
let isPaused = false
let shownAt = null

function takeKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get('key')
  if (given) sessionStorage.setItem(KEY, given)
  // Not in the history, the screen or a bookmark.
  if (location.hash) history.replaceState(null, '', location.pathname + location.search)
}

const say = (text) => { if (status.textContent !== text) status.textContent = text }
const clock = (date) => date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })

function ask(message) {
  clearTimeout(timer)
  sessionStorage.removeItem(KEY)
  element('report').replaceChildren()
  shownAt = null
  toolbar.hidden = true
  form.hidden = false
  element('refusal').textContent = message
  input.value = ''
  input.focus()
}

/** Replaces only what changed, and keeps what is open and where the focus is. */
function show(text) {
  const page = new DOMParser().parseFromString(text, 'text/html')
  const report = element('report')
  const focused = document.activeElement?.id
  const places = new Map([...report.querySelectorAll('.scroll')].map((region) => [region.id, region.scrollLeft]))
  const open = [...report.querySelectorAll('details[open]')].map(({ id }) => id)
  for (const id of open) page.getElementById(id)?.setAttribute('open', '')
  const fresh = [...page.getElementById('report').children]
  if (report.children.length !== fresh.length) report.replaceChildren(...fresh)
  else [...report.children].forEach((old, index) => {
    if (old.outerHTML !== fresh[index].outerHTML) old.replaceWith(fresh[index])
  })
  for (const [id, left] of places) { const region = element(id); if (region && left) region.scrollLeft = left }
  if (focused && document.activeElement?.id !== focused) element(focused)?.focus({ preventScroll: true })
  document.title = page.title
}

async function load() {
  clearTimeout(timer)
  const key = sessionStorage.getItem(KEY)
  if (!key) return ask('')
  form.hidden = true
  toolbar.hidden = false
  try {
    const answer = await fetch('migration/report.html', {
      headers: { authorization: 'Bearer ' + key },
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (answer.status === 401 || answer.status === 403) return ask('This key was not accepted.')
    if (!answer.ok) throw new Error('it answered ' + answer.status)
    show(await answer.text())
    shownAt = new Date()
    say('Live. Renewed every ' + EVERY_MS / 1000 + ' s.')
  } catch (error) {
    say((shownAt ? 'The worker does not answer. This report is of ' + clock(shownAt) : 'The worker does not answer') + '; trying again.')
  }
  if (!isPaused && !document.hidden) timer = setTimeout(load, EVERY_MS)
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  sessionStorage.setItem(KEY, input.value.trim())
  load()
})
forget.addEventListener('click', () => ask(''))
pause.addEventListener('click', () => {
  isPaused = !isPaused
  pause.textContent = isPaused ? 'Resume' : 'Pause'
  clearTimeout(timer)
  if (isPaused) say('Paused. This report is of ' + (shownAt ? clock(shownAt) : 'no time yet') + '.')
  else load()
})
addEventListener('hashchange', () => { takeKey(); load() })
document.addEventListener('visibilitychange', () => { if (!document.hidden && !isPaused && sessionStorage.getItem(KEY)) load() })
takeKey()
load()
`
