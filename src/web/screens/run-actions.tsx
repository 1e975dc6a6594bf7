// What is done with several runs at once, and the dialogs that ask for it.
import { useState } from 'preact/hooks'
import { RUN_TYPES } from '../../engine/limits.ts'
import { toastDone } from '../actions.ts'
import { api, failureText } from '../api.ts'
import { useIsHiding, useTrashWords } from '../asked.ts'
import { counted, distance, duration, number, text } from '../format.ts'
import { shoeOptions } from '../run-fields.tsx'
import { useResource, useUnits } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/loaded.tsx'
import { TERMS } from '../words.ts'
import { NONE } from './run-query.ts'
import './later.css'
import type { Static } from '@sinclair/typebox'
import { LENGTHS } from '../../base/texts.ts'
import type { BulkEdited } from '../../features/repair/schemas.ts'
import { useAsked } from '../asked.ts'
import { numberField, RUN_RULES, wholeOf } from '../run-fields.tsx'
import { SkeletonLines } from '../ui/button.tsx'
import { Field, Form, Select, useFields } from '../ui/form.tsx'

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
      const { saveRuns } = await import('../downloads.ts')
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
    <section class="card run-actions-bar stack gap-2" aria-label="Selected runs">
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
      {isJoining && <JoinDialog ids={[...ids]} onDone={onDone} onClose={() => setJoining(false)} />}
      {isEditing && <BulkEditDialog ids={[...ids]} runs={runs} onSave={change} onClose={() => setEditing(false)} />}
      {asked !== null && <BulkConfirm {...asked} ids={[...ids]} onSave={change} onClose={() => setAsked(null)} />}
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

interface BulkConfirmProps {
  readonly ids: readonly string[]
  /** What is set, such as `Type: Race`. */
  readonly title: string
  readonly set: object
  readonly onSave: (set: object) => Promise<void>
  readonly onClose: () => void
}

/** Says how many runs a change concerns, and makes it on request. */
function BulkConfirm({ ids, title, set, onSave, onClose }: BulkConfirmProps) {
  const { answer: counts, failure } = useBulkTrial(ids, set)
  const save = async () => {
    await onSave(set)
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action="Change" isPrimary isIncomplete={!counts?.changed} onCancel={onClose} onSend={save}>
        <div aria-live="polite">
          {counts !== null && <p>{trialText(counts)}.</p>}
          {counts === null && failure === null && <SkeletonLines count={1} height="1.4rem" />}
        </div>
        {failure !== null && <Notice kind="bad">{failure}</Notice>}
      </Form>
    </Dialog>
  )
}

interface BulkEditDialogProps {
  readonly ids: readonly string[]
  /** Such as `3 runs`. */
  readonly runs: string
  readonly onSave: (set: object) => Promise<void>
  readonly onClose: () => void
}

/** Sets words of several runs; empty fields stay unchanged. Says how many runs change before they do. */
function BulkEditDialog({ ids, runs, onSave, onClose }: BulkEditDialogProps) {
  const { values, field, isValid, form } = useFields(
    { name: '', rpe: '', notes: '' },
    {
      rules: { rpe: RUN_RULES.rpe },
      send: async () => {
        await onSave(set)
        onClose()
      },
    },
  )
  const name = values.name.trim()
  const notesAppend = values.notes.trim()
  const rpe = wholeOf(values.rpe)
  const set = {
    ...(name === '' ? {} : { name }),
    ...(rpe === null ? {} : { rpe }),
    ...(notesAppend === '' ? {} : { notesAppend }),
  }
  const isReady = isValid && Object.keys(set).length > 0
  const { answer: counts, failure, isOutdated } = useBulkTrial(ids, isReady ? set : null)
  return (
    <Dialog title={`Change ${runs}`} onClose={onClose}>
      <Form
        {...form}
        isIncomplete={!counts?.changed || isOutdated}
        action={`Change ${runs}`}
        isPrimary
        onCancel={onClose}
      >
        <Field
          label="Name"
          {...field('name')}
          maxLength={LENGTHS.name}
          hint="Leave empty to keep each name"
          autofocus
        />
        <Field {...numberField('rpe')} {...field('rpe')} />
        <Field label="Add to notes" {...field('notes')} />
        <p class="muted small" role="status">
          {counts === null ? '' : `${trialText(counts)}.`}
        </p>
        {failure !== null && <Notice kind="bad">{failure}</Notice>}
      </Form>
    </Dialog>
  )
}

interface JoinDialogProps {
  readonly ids: readonly string[]
  readonly onDone: () => void
  readonly onClose: () => void
}

const GAPS = [
  ['pause', 'Count the time as a pause'],
  ['straight', 'Count the straight line as distance'],
  ['none', 'Leave the gap out'],
] as const
type Gap = (typeof GAPS)[number][0]

/** Joins runs: shows the resulting run, and how the time between them is treated. */
function JoinDialog({ ids, onDone, onClose }: JoinDialogProps) {
  const units = useUnits()
  const [gap, setGap] = useState<Gap>('pause')
  const { answer, failure, isOutdated } = useAsked(gap, () => api.trial('POST', '/workouts/join', { ids, gap }))
  const runs = counted(ids.length, 'run')
  const save = async () => {
    toastDone(`${runs} joined`, [await api.change('POST', '/workouts/join', { ids, gap })])
    onClose()
    onDone()
  }
  return (
    <Dialog title={`Join ${runs}?`} onClose={onClose}>
      <Form action="Join" isPrimary isIncomplete={answer === null || isOutdated} onCancel={onClose} onSend={save}>
        <Select label="Between the runs" value={gap} options={GAPS} onValue={setGap} />
        <div aria-live="polite">
          {answer === null && failure === null && <SkeletonLines count={1} height="1.4rem" />}
          {answer !== null && (
            <p>{`One run: ${text(distance(answer.after.distanceM, units))} in ${duration(answer.after.durationS)}. All recordings, photos and notes are kept.`}</p>
          )}
        </div>
        {failure !== null && <Notice kind="bad">{failure}</Notice>}
      </Form>
    </Dialog>
  )
}

type BulkCounts = Pick<Static<typeof BulkEdited>, 'changed' | 'unchanged'>

/** Waits for the next key, so that a text being typed is not asked about letter by letter. */
const PAUSE_MS = 250

/** Asks how many of the runs the change would concern. @param set as in the edit of several; null: do not ask */
function useBulkTrial(ids: readonly string[], set: object | null) {
  return useAsked(set && JSON.stringify(set), () => api.trial('POST', '/workouts/bulk-edit', { ids, set }), PAUSE_MS)
}

/** Such as `12 change, 3 already set`. */
function trialText({ changed, unchanged }: BulkCounts): string {
  const same = `${number(unchanged)} already set`
  if (changed === 0) return `Nothing changes (${same})`
  if (unchanged === 0) return `${counted(changed, 'run')} ${changed === 1 ? 'changes' : 'change'}`
  return `${number(changed)} ${changed === 1 ? 'changes' : 'change'}, ${same}`
}
