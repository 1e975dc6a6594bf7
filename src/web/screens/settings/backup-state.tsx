import { bytes, date } from '../../format.ts'
import { useResource } from '../../state.ts'
import { Notice } from '../../ui/empty.tsx'

/** The last automatic backup, or why there is none. */
export function BackupState() {
  const { data } = useResource('/settings/backup')
  if (data === null) return null
  const { enabled, at, last, failed } = data
  const made =
    last === null
      ? null
      : `Last backup: ${dayAndTime(last.at)}, ${bytes(last.bytes)}, ${last.verified ? 'verified' : 'not verified'}`
  return (
    <div class="form">
      {failed !== null && (
        <Notice kind="bad">
          {failed.error} ({dayAndTime(failed.at)}). {made ?? 'No backup yet'}.
          {enabled && ' Harrier tries again every hour.'}
        </Notice>
      )}
      {failed === null && made !== null && <p>{made}</p>}
      <p class="muted small">{enabled ? `Automatic backups: daily at ${at}, on the server.` : OFF}</p>
    </div>
  )
}

const OFF = 'Automatic backups are off. To turn them on, set BACKUP_DIR to a folder on another disk.'

/** Such as `today 3:02` or `24 Nov 2025, 3:02`. */
function dayAndTime(iso: string): string {
  const day = (ms: number) => new Date(ms).toDateString()
  const made = day(Date.parse(iso))
  if (made === day(Date.now())) return `today ${date(iso, 'time')}`
  if (made === day(Date.now() - 86_400_000)) return `yesterday ${date(iso, 'time')}`
  return date(iso, 'dateTime')
}
