import { Component, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { t } from '../text/text.ts'

interface Props {
  children: ReactNode
}

/** Says so if the code of a page cannot be loaded, as after an upgrade of the server, which has other files. */
export function NotLoaded({ children }: Props) {
  const [path] = useLocation()
  return <Boundary key={path}>{children}</Boundary>
}

class Boundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <div role="alert" className="problem">
        <h1>{t.common.problem}</h1>
        <button type="button" onClick={() => location.reload()}>
          {t.common.retry}
        </button>
      </div>
    )
  }
}
