import { useState } from 'preact/hooks'
import { Icon } from '../ui/button.tsx'
import { Lazy } from '../ui/loaded.tsx'
import { FORMAT_NAMES } from './formats.ts'
import { ImportButton } from './import-button.tsx'
import './drop-zone.css'

const loadHelp = () => import('./history-help.tsx').then(({ HistoryHelp }) => HistoryHelp)

/** Explains what can be dropped; dropping works on the whole window. */
export function DropZone() {
  const [isAsked, setAsked] = useState(false)
  return (
    <div class="drop-zone stack">
      <Icon name="upload" />
      <p>
        <strong>Drop files anywhere on this page</strong>
      </p>
      <p class="muted small">{FORMAT_NAMES} (also .gz), or a whole export of Garmin, Strava, Apple Health and others</p>
      <ImportButton text="Choose files" kind="plain" />
      <details onToggle={(event) => event.currentTarget.open && setAsked(true)}>
        <summary>Bring your history</summary>
        {isAsked && <Lazy load={loadHelp} props={{}} waiting={(failure) => failure && <p>{failure}</p>} />}
      </details>
    </div>
  )
}
