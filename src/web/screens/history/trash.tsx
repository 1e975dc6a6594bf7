import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { counted, date, distance, duration, runName, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { TrashPage } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Empty, Pending } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Pages } from '../../ui/pages.tsx'
import { toast } from '../../ui/toast.tsx'
import { attempt } from '../../use-action.ts'
import '../settings/settings.css'

type Item = TrashPage['items'][number]

/** Deleted runs, until they are deleted permanently. */
export function Trash() {
  const [page, setPage] = useState(1)
  const [asked, setAsked] = useState<Item | 'all' | null>(null)
  const { data, error } = useResource(`/trash?page=${page}&pageSize=50`)
  const done = (said: string) => {
    toast(said)
    setPage(1)
  }
  const restore = (item: Item) =>
    attempt(async () => {
      await api.send('POST', `/trash/${item.workoutId}/restore`)
      done(`${nameOf(item)} restored`)
    })
  const remove = async () => {
    await api.send('DELETE', asked === 'all' || asked === null ? '/trash' : `/trash/${asked.workoutId}`)
    done('Deleted permanently')
  }
  const isEmpty = data !== null && data.items.length === 0
  return (
    <div class="page settings">
      <div class="page-head">
        <h1 tabIndex={-1}>Trash</h1>
        <Link class="button" href="/app/history">
          <Icon name="clock" /> History
        </Link>
      </div>
      {data === null ? (
        <Pending error={error} count={4} height="56px" />
      ) : isEmpty ? (
        <div class="card">
          <Empty icon="trash" title="Trash is empty">
            {data.keptDays === 0
              ? 'Deleted runs are removed immediately (UNDO_DAYS=0).'
              : `Deleted runs stay here for ${counted(data.keptDays, 'day')}. You can restore them until then.`}
          </Empty>
        </div>
      ) : (
        <section class="card" aria-label="Deleted runs">
          <div class="card-head">
            <h2>{counted(data.totalCount, 'run')}</h2>
            <Button kind="danger" size="small" onClick={() => setAsked('all')}>
              Empty trash
            </Button>
          </div>
          <div class="rows">
            {data.items.map((item) => (
              <Line
                key={`${item.workoutId} ${item.deletedAt}`}
                item={item}
                onRestore={() => void restore(item)}
                onRemove={() => setAsked(item)}
              />
            ))}
          </div>
          <Pages page={page} pages={data.totalPages} onPage={setPage} />
        </section>
      )}
      {asked !== null && (
        <Confirm
          title={asked === 'all' ? 'Empty the trash?' : `Delete ${nameOf(asked)} permanently?`}
          action="Delete permanently"
          onConfirm={remove}
          onClose={() => setAsked(null)}
        >
          <p class="muted">Recordings, photos and notes are removed from disk. This can’t be undone.</p>
        </Confirm>
      )}
    </div>
  )
}

interface LineProps {
  readonly item: Item
  readonly onRestore: () => void
  readonly onRemove: () => void
}

function Line({ item, onRestore, onRemove }: LineProps) {
  const units = useUnits()
  const { startedAt, distanceM, durationS, deletedAt, purgeAt } = item
  const name = nameOf(item)
  return (
    <div class="row">
      <div class="key-text">
        <strong>{name}</strong>
        <span class="muted small">
          {[date(startedAt), text(distance(distanceM, units)), duration(durationS)].join(' · ')}
        </span>
        <span class="muted small">
          Deleted on {date(deletedAt)}, removed permanently on {date(purgeAt)}
        </span>
      </div>
      <div class="actions start">
        <Button size="small" icon="undo" aria-label={`Restore ${name}`} onClick={onRestore}>
          Restore
        </Button>
        <Button kind="quiet" size="small" icon="trash" aria-label={`Delete ${name} permanently`} onClick={onRemove} />
      </div>
    </div>
  )
}

function nameOf({ name, startedAt }: Item): string {
  return runName({ name, startedAt, utcOffsetMinutes: null })
}
