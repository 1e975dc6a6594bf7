import { Icon } from '../ui/icon.tsx'
import { FORMAT_NAMES } from './formats.ts'
import { ImportButton } from './import-button.tsx'
import './import.css'

/** Explains what can be dropped; dropping works on the whole window. */
export function DropZone() {
  return (
    <div class="drop-zone">
      <Icon name="upload" />
      <p>
        <strong>Drop files anywhere on this page</strong>
      </p>
      <p class="muted small">
        {FORMAT_NAMES} from your watch, also as .gz and as many as you like, or the ZIP of a Strava export or of a
        Harrier archive as it is.
      </p>
      <ImportButton text="Choose files" kind="plain" />
    </div>
  )
}
