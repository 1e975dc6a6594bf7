import { useEffect } from 'preact/hooks'
import type { WatchFolderAnswer } from '../../../imports/watch/status.ts'
import { api } from '../../api.ts'
import { date, number } from '../../format.ts'
import { noteWatchSeen, WATCH_FOLDER } from '../../shell/watch-news.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, Pending } from '../../ui/empty.tsx'
import { useAction } from '../../use-action.ts'
import { WatchFiles } from './watch-files.tsx'

type Folder = WatchFolderAnswer['folders'][number]

/** Watched folders: their state, and the outcomes of their files. */
export function WatchFolderSettings() {
  const { data, error } = useResource(WATCH_FOLDER)
  const lastErrorAt = data?.lastErrorAt ?? null
  useEffect(() => {
    if (lastErrorAt !== null) noteWatchSeen(lastErrorAt)
  }, [lastErrorAt])
  if (data === null) return <Pending error={error} count={3} height="24px" />
  return data.enabled ? <Folders {...data} /> : <HowTo />
}

function Folders({ folders, lastLookAt, nextLookAt, counts }: WatchFolderAnswer) {
  const { isBusy, act } = useAction()
  const look = () => act(() => api.send('POST', `${WATCH_FOLDER}/look`))
  return (
    <div class="form">
      <ul class="rows">
        {folders.map((folder) => (
          <li class="row" key={folder.path}>
            <span class="key-text">
              <strong class="mono">{folder.path}</strong>
              <span class="muted small">{stateText(folder)}</span>
            </span>
          </li>
        ))}
      </ul>
      {folders.map(({ path, state, unreadableFolders }) => (
        <FolderNotice key={path} path={path} state={state} folders={unreadableFolders} />
      ))}
      <div class="row">
        <span class="key-text">
          <span>{countsText(counts)}</span>
          <span class="muted small">
            {lastLookAt === null ? 'Not checked yet' : `Last check ${timeText(lastLookAt)}`}
            {nextLookAt !== null && `, next ${timeText(nextLookAt)}`}
          </span>
        </span>
        <Button icon="search" isBusy={isBusy} onClick={() => void look()}>
          Check now
        </Button>
      </div>
      <WatchFiles counts={counts} />
    </div>
  )
}

function FolderNotice({
  path,
  state,
  folders,
}: {
  readonly path: string
  readonly state: Folder['state']
  readonly folders: readonly string[]
}) {
  if (state === 'unreadable') {
    return (
      <Notice kind="bad">
        Harrier doesn’t have permission to read {path}. In a container it runs as user 1000, who needs read access to
        the folder and everything in it.
      </Notice>
    )
  }
  if (state === 'unreachable') {
    return (
      <Notice kind="bad">
        Can’t reach {path}. Is it mounted? Nothing is lost; Harrier continues as soon as it’s back.
      </Notice>
    )
  }
  if (folders.length === 0) return null
  return <Notice kind="bad">Harrier doesn’t have permission to read these subfolders: {folders.join(', ')}</Notice>
}

/** Configuration that the operator must set. */
function HowTo() {
  return (
    <div class="prose stack">
      <p>
        Put a file into a folder, and its run appears here a minute later. This works with Syncthing, Nextcloud, a NAS
        share or another program’s export. Harrier never changes anything in the folder.
      </p>
      <p>Add two lines to compose.yaml, one under volumes and one under environment, and restart:</p>
      <pre class="new-key">{'volumes:\n  - /path/to/your/runs:/import:ro\nenvironment:\n  WATCH_DIR: /import'}</pre>
      <p class="muted small">Without a container, set WATCH_DIR to the folder itself.</p>
    </div>
  )
}

function stateText({ state, since }: Folder): string {
  if (state === 'watching') return 'Watching'
  return `Can’t be ${state === 'unreadable' ? 'read' : 'reached'} since ${timeText(since)}`
}

function countsText({
  created,
  updated,
  merged,
  skipped,
  ignored,
  errors,
  waiting,
}: WatchFolderAnswer['counts']): string {
  const parts = [
    [created, 'added'],
    [updated + merged, 'updated'],
    [skipped, skipped === 1 ? 'duplicate' : 'duplicates'],
    [ignored, 'skipped (not runs)'],
    [errors, 'failed'],
    [waiting, 'waiting'],
  ] as const
  const stated = parts.filter(([count]) => count > 0).map(([count, words]) => `${number(count)} ${words}`)
  return stated.length === 0 ? 'No files yet' : stated.join(', ')
}

/** Only the time for today, else with the day. */
function timeText(iso: string): string {
  return date(iso, new Date(iso).toDateString() === new Date().toDateString() ? 'time' : 'dateTime')
}
