import { useState } from 'preact/hooks'
import type { WatchFilesAnswer, WatchFolderAnswer } from '../../../imports/watch/status.ts'
import { api } from '../../api.ts'
import { date } from '../../format.ts'
import { RESTORE_INSTEAD, restoreInstead } from '../../import/restore-instead.ts'
import { Link } from '../../router.ts'
import { WATCH_FOLDER } from '../../shell/watch-news.ts'
import { useResource } from '../../state.ts'
import type { ImportSummary, SingleImport } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Pending } from '../../ui/empty.tsx'
import { Segments } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAction } from '../../use-action.ts'

type File = WatchFilesAnswer['items'][number]
type Shown = 'error' | 'waiting' | 'all'

/** The most files that one answer contains. */
const MOST = 100
const FIRST = 10

const WORDS: Readonly<Record<File['outcome'], string>> = {
  created: 'Added',
  updated: 'Added to a run',
  merged: 'Merged with a run',
  skipped: 'Duplicate',
  ignored: 'No run found',
  error: 'Couldn’t be read',
  waiting: 'Waiting',
}

/** The files of the watch folder; those with problems first. */
export function WatchFiles({ counts }: { readonly counts: WatchFolderAnswer['counts'] }) {
  const [chosen, setChosen] = useState<Shown | null>(null)
  const [pageSize, setPageSize] = useState(FIRST)
  const shown = chosen ?? (counts.errors > 0 ? 'error' : counts.waiting > 0 ? 'waiting' : 'all')
  const filter = shown === 'all' ? '' : `&outcome=${shown}`
  const { data, error } = useResource(`${WATCH_FOLDER}/files?pageSize=${pageSize}${filter}`)
  if (Object.values(counts).every((count) => count === 0)) return null
  return (
    <div class="form">
      <div class="row">
        <span>Files</span>
        <Segments<Shown>
          legend="Files"
          value={shown}
          options={[
            ['error', 'Errors'],
            ['waiting', 'Waiting'],
            ['all', 'All'],
          ]}
          onValue={setChosen}
        />
      </div>
      {data === null ? (
        <Pending error={error} count={3} height="44px" />
      ) : data.items.length === 0 ? (
        <p class="muted small">{shown === 'error' ? 'No files with errors.' : 'No files waiting.'}</p>
      ) : (
        <ul class="rows" aria-label="Files in the watch folder">
          {data.items.map((file) => (
            <FileRow key={file.id} file={file} />
          ))}
        </ul>
      )}
      {data !== null && data.totalCount > data.items.length && pageSize < MOST && (
        <div class="actions start">
          <Button kind="quiet" size="small" onClick={() => setPageSize(MOST)}>
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}

function FileRow({ file }: { readonly file: File }) {
  const { isBusy, act } = useAction()
  const [runId] = file.workoutIds
  const importAgain = () =>
    act(async () => {
      const made = await api.send('POST', `${WATCH_FOLDER}/files/${file.id}/import`)
      toast('Imported again', oldRunOf(made))
    })
  return (
    <li class="row">
      <span class="key-text">
        <strong>{runId === undefined ? file.name : <Link href={`/app/runs/${runId}`}>{file.name}</Link>}</strong>
        <span class="muted small">{aboutFile(file)}</span>
      </span>
      {(file.isDeleted || file.outcome === 'error' || file.failingSince !== null) && (
        <Button
          size="small"
          isBusy={isBusy}
          onClick={() => void importAgain()}
          aria-label={`Import ${file.name} again`}
        >
          {file.isDeleted ? 'Import again' : 'Try again'}
        </Button>
      )}
    </li>
  )
}

/** The action that restores the same run from the trash instead; null: there is none. */
function oldRunOf(made: SingleImport | ImportSummary) {
  if (!('trashedId' in made) || made.trashedId === undefined) return null
  const { id, trashedId } = made
  return { label: RESTORE_INSTEAD, run: () => void restoreInstead(id, trashedId) }
}

function aboutFile({ outcome, reason, isDeleted, failingSince, lookedAt }: File): string {
  if (failingSince !== null) return `${reason ?? 'Can’t be read'}, since ${date(failingSince)}; retrying`
  if (outcome === 'waiting') return 'Waiting until the file is complete'
  if (outcome === 'error') return reason ?? WORDS.error
  const words = isDeleted && outcome !== 'skipped' ? `${WORDS[outcome]}, deleted later` : WORDS[outcome]
  return `${reason ?? words} · ${date(lookedAt)}`
}
