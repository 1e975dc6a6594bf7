import { useState } from 'preact/hooks'
import { RUN_TYPES } from '../../engine/limits.ts'
import { api, failureText } from '../api.ts'
import { counted, number } from '../format.ts'
import { shoeOptions } from '../shoe-options.ts'
import { useResource } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Notice } from '../ui/empty.tsx'
import { failureNotice, Lazy } from '../ui/lazy.tsx'
import { toastDone } from '../undo.ts'
import { useIsHiding } from '../use-is-hiding.ts'
import { useTrashWords } from '../use-trash-words.ts'
import { TERMS } from '../words.ts'
import { NONE } from './run-query.ts'
import './run-actions.css'

/** Download formats. */
const FORMATS = [
  ['original', 'Originals'],
  ['fit', 'FIT'],
  ['gpx', 'GPX'],
  ['tcx', 'TCX'],
] as const
/** Without hidden places and ends, for others. */
const TRIMMED = [['trimmed', 'Trimmed GPX']] as const

/** Each of the runs gets the type that is suggested for it. */
const SUGGESTED = 'suggested'

interface RunActionsProps {
  readonly ids: ReadonlySet<string>
  readonly onChooseAll: () => void
  /** Reduces the selection to these ids. */
  readonly onLeft: (ids: ReadonlySet<string>) => void
  /** Ends the selection. */
  readonly onDone: () => void
}

/** Actions on several runs at once. */
export function RunActions({ ids, onChooseAll, onLeft, onDone }: RunActionsProps) {
  const shoes = useResource('/shoes')
  const [isAsking, setAsking] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const [asked, setAsked] = useState<{ readonly title: string; readonly set: object } | null>(null)
  const [isJoining, setJoining] = useState(false)
  const trashWords = useTrashWords(isAsking)
  const isHiding = useIsHiding(ids.size > 0)
  const [under, setUnder] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const runs = counted(ids.size, 'run')

  const each = async (doing: string, done: string, call: (id: string) => Promise<string | null>) => {
    setFailure(null)
    let count = 0
    const receiptIds: (string | null)[] = []
    try {
      for (const id of ids) {
        setUnder(`${doing} ${number(count + 1)} of ${number(ids.size)}`)
        receiptIds.push(await call(id))
        count += 1
      }
      toastDone(`${runs} ${done}`, receiptIds)
    } catch (error) {
      const reason = failureText(error)
      setFailure(`${number(count)} of ${runs} ${done}, then: ${reason}`)
    }
    setUnder(null)
    return [...ids].slice(count)
  }
  const change = async (set: object) => {
    const edited = await api.send('POST', '/workouts/bulk-edit', { ids: [...ids], set })
    toastDone(`${counted(edited.changed, 'run')} changed`, [edited.receiptId])
  }
  const remove = async () => {
    const left = await each('Deleting', 'deleted', (id) => api.change('DELETE', `/workouts/${id}`))
    setAsking(false)
    if (left.length === 0) onDone()
    else onLeft(new Set(left))
  }

  const download = async (chosen: (typeof FORMATS | typeof TRIMMED)[number][0]) => {
    setFailure(null)
    setUnder('Preparing ZIP')
    try {
      const { saveRuns } = await import('../downloads/save-runs.ts')
      const onProgress = (progress: { runs: number }) =>
        setUnder(`${number(Math.min(progress.runs, ids.size))} of ${number(ids.size)} in the ZIP`)
      const file = chosen === 'trimmed' ? ({ format: 'gpx', trim: true } as const) : { format: chosen }
      await saveRuns({ ...file, ids: [...ids] }, { onProgress })
    } catch (error) {
      setFailure(failureText(error))
    }
    setUnder(null)
  }

  const isOff = ids.size === 0 || under !== null
  return (
    <section class="run-actions-bar stack gap-2" aria-label="Selected runs">
      {failure !== null && <Notice kind="bad">{failure}</Notice>}
      <div class="run-actions-line flow">
        <span role="status" class="run-actions-count">
          {under ?? `${runs} selected`}
        </span>
        <Button kind="quiet" size="small" onClick={onChooseAll}>
          Select all on page
        </Button>
        <ActionSelect
          label="Type"
          isDisabled={isOff}
          options={[
            [SUGGESTED, 'Suggested types'],
            ...RUN_TYPES.map((type) => [type, type] as const),
            [NONE, TERMS.noType],
          ]}
          onValue={(type, text) =>
            setAsked({
              title: `${runs}: ${text}`,
              set: type === SUGGESTED ? { suggestedRunType: true } : { runType: type === NONE ? null : type },
            })
          }
        />
        {(shoes.data ?? []).length > 0 && (
          <ActionSelect
            label="Shoe"
            isDisabled={isOff}
            options={[...shoeOptions(shoes.data ?? []), [NONE, TERMS.noShoe]]}
            onValue={(shoeId, text) =>
              setAsked({ title: `${runs}: ${text}`, set: { shoeId: shoeId === NONE ? null : shoeId } })
            }
          />
        )}
        <ActionSelect
          label="Download"
          isDisabled={isOff}
          options={isHiding ? [...FORMATS, ...TRIMMED] : FORMATS}
          onValue={(chosen) => void download(chosen)}
        />
        <Button size="small" icon="edit" disabled={isOff} onClick={() => setEditing(true)}>
          More…
        </Button>
        {ids.size > 1 && ids.size <= MOST_JOINED && (
          <Button size="small" icon="plus" disabled={isOff} onClick={() => setJoining(true)}>
            Join
          </Button>
        )}
        <Button kind="danger" size="small" icon="trash" disabled={isOff} onClick={() => setAsking(true)}>
          Delete
        </Button>
        <Button kind="primary" size="small" onClick={onDone}>
          Done
        </Button>
      </div>
      {isJoining && (
        <Lazy
          load={loadJoin}
          props={{ ids: [...ids], onDone, onClose: () => setJoining(false) }}
          waiting={failureNotice}
        />
      )}
      {isEditing && (
        <Lazy
          load={loadEdit}
          props={{ ids: [...ids], runs, onSave: change, onClose: () => setEditing(false) }}
          waiting={failureNotice}
        />
      )}
      {asked !== null && (
        <Lazy
          load={loadConfirm}
          props={{ ...asked, ids: [...ids], onSave: change, onClose: () => setAsked(null) }}
          waiting={failureNotice}
        />
      )}
      {isAsking && (
        <Confirm title={`Delete ${runs}?`} action="Delete" onConfirm={remove} onClose={() => setAsking(false)}>
          <p class="muted">Their recordings, photos and notes are deleted too. {trashWords}</p>
        </Confirm>
      )}
    </section>
  )
}

/** Most runs that the service joins at once. */
const MOST_JOINED = 10

const loadJoin = () => import('./join-dialog.tsx').then(({ JoinDialog }) => JoinDialog)
const loadEdit = () => import('./bulk-edit-dialog.tsx').then(({ BulkEditDialog }) => BulkEditDialog)
const loadConfirm = () => import('./bulk-confirm.tsx').then(({ BulkConfirm }) => BulkConfirm)

interface ActionSelectProps<T extends string> {
  readonly label: string
  readonly isDisabled: boolean
  readonly options: readonly (readonly [value: T, text: string])[]
  readonly onValue: (value: T, text: string) => void
}

/** Chooses something for all selected runs; afterwards it shows its label again. */
function ActionSelect<T extends string>({ label, isDisabled, options, onValue }: ActionSelectProps<T>) {
  return (
    <select
      class="input"
      aria-label={`${label} of the selected runs`}
      value=""
      disabled={isDisabled}
      onChange={({ currentTarget }) => {
        const chosen = options.find(([known]) => known === currentTarget.value)
        if (chosen !== undefined) onValue(...chosen)
        currentTarget.value = ''
      }}
    >
      <option value="" disabled>
        {label}…
      </option>
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  )
}
