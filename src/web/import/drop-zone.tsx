import { Icon } from '../ui/icon.tsx'
import { FORMAT_NAMES } from './formats.ts'
import { ImportButton } from './import-button.tsx'
import './drop.css'

/** Explains what can be dropped; dropping works on the whole window. */
export function DropZone() {
  return (
    <div class="drop-zone">
      <Icon name="upload" />
      <p>
        <strong>Drop files anywhere on this page</strong>
      </p>
      <p class="muted small">{FORMAT_NAMES} (also .gz), or a whole Strava or Harrier ZIP</p>
      <ImportButton text="Choose files" kind="plain" />
    </div>
  )
}
