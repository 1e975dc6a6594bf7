// What is done with several runs at once, and the dialogs that ask for it.
import { useState } from 'preact/hooks'
import { LENGTHS } from '../../base/texts.ts'
import { RUN_TYPES } from '../../engine/limits.ts'
import { toastDone } from '../actions.ts'
import { api, failureText } from '../api.ts'
import { useAsked, useIsHiding, useTrashWords } from '../asked.ts'
import { counted, distance, duration, number, text } from '../format.ts'
import { numberField, RUN_RULES, shoeOptions, wholeOf } from '../run-fields.tsx'
import { useResource, useUnits } from '../state.ts'
import { Button, SkeletonLines } from '../ui/button.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Field, Form, Select, useFields } from '../ui/form.tsx'
import { Notice } from '../ui/loaded.tsx'
import { TERMS } from '../words.ts'
import { NONE } from './run-query.ts'
import './later.css'

/** Download formats. */
const FORMATS = [
  ['original', 'Originals'],
  ['fit', 'FIT'],
  ['gpx', 'GPX'],
  ['tcx', 'TCX'],
] as const
/** Without hidden places and ends, for others. */
const TRIMMED = [['trimmed', 'Trimmed GPX']] as const
type Format = (typeof FORMATS | typeof TRIMMED)[number][0]

/** Each of the runs gets the type that is suggested for it. */
const SUGGESTED = 'suggested'
/** Most runs that the service joins at once. */
const MOST_JOINED = 10

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
  const shoes = useResource('/shoes').data ?? []
  const [opened, setOpened] = useState<'delete' | 'join' | Pick<BulkProps, 'title' | 'chosen'> | null>(null)
  const trashWords = useTrashWords(opened === 'delete')
  const isHiding = useIsHiding(ids.size > 0)
  const [under, setUnder] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const runs = counted(ids.size, 'run')
  const onClose = () => setOpened(null)

  const remove = async () => {
    setFailure(null)
    const receiptIds: (string | null)[] = []
    try {
      for (const id of ids) {
        setUnder(`Deleting ${number(receiptIds.length + 1)} of ${number(ids.size)}`)
        receiptIds.push(await api.change('DELETE', `/workouts/${id}`))
      }
      toastDone(`${runs} deleted`, receiptIds)
    } catch (error) {
      setFailure(`${number(receiptIds.length)} of ${runs} deleted, then: ${failureText(error)}`)
    }
    setUnder(null)
    onClose()
    if (receiptIds.length === ids.size) onDone()
    else onLeft(new Set([...ids].slice(receiptIds.length)))
  }
  const download = async (chosen: Format) => {
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
  const setting = (set: (value: string) => object) => (value: string, name: string) =>
    setOpened({ title: `${runs}: ${name}`, chosen: set(value) })

  const isOff = ids.size === 0 || under !== null
  return (
    <section class="card run-actions-bar stack gap-2" aria-label="Selected runs">
      {failure !== null && <Notice kind="bad">{failure}</Notice>}
      <div class="run-actions-line actions">
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
            ...RUN_TYPES.map((one) => [one, one] as const),
            [NONE, TERMS.noType],
          ]}
          onValue={setting((type) =>
            type === SUGGESTED ? { suggestedRunType: true } : { runType: type === NONE ? null : type },
          )}
        />
        {shoes.length > 0 && (
          <ActionSelect
            label="Shoe"
            isDisabled={isOff}
            options={[...shoeOptions(shoes), [NONE, TERMS.noShoe]]}
            onValue={setting((shoeId) => ({ shoeId: shoeId === NONE ? null : shoeId }))}
          />
        )}
        <ActionSelect<Format>
          label="Download"
          isDisabled={isOff}
          options={isHiding ? [...FORMATS, ...TRIMMED] : FORMATS}
          onValue={(chosen) => void download(chosen)}
        />
        <Button
          size="small"
          icon="edit"
          disabled={isOff}
          onClick={() => setOpened({ title: `Change ${runs}`, chosen: null })}
        >
          More…
        </Button>
        {ids.size > 1 && ids.size <= MOST_JOINED && (
          <Button size="small" icon="plus" disabled={isOff} onClick={() => setOpened('join')}>
            Join
          </Button>
        )}
        <Button kind="danger" size="small" icon="trash" disabled={isOff} onClick={() => setOpened('delete')}>
          Delete
        </Button>
        <Button kind="primary" size="small" onClick={onDone}>
          Done
        </Button>
      </div>
      {opened === 'delete' ? (
        <Confirm title={`Delete ${runs}?`} action="Delete" onConfirm={remove} onClose={onClose}>
          <p class="muted">Their recordings, photos and notes are deleted too. {trashWords}</p>
        </Confirm>
      ) : opened === 'join' ? (
        <JoinDialog ids={[...ids]} onDone={onDone} onClose={onClose} />
      ) : (
        opened !== null && <BulkDialog {...opened} ids={[...ids]} onClose={onClose} />
      )}
    </section>
  )
}

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

/** Waits for the next key, so that a text being typed is not asked about letter by letter. */
const PAUSE_MS = 250

interface BulkProps {
  readonly ids: readonly string[]
  readonly title: string
  /** What is set; null: words that are entered here. */
  readonly chosen: object | null
  readonly onClose: () => void
}

/** Sets something of several runs; fields that are left empty stay as they are. Says how many runs change before they do. */
function BulkDialog({ ids, title, chosen, onClose }: BulkProps) {
  const { values, field, isValid } = useFields({ name: '', rpe: '', notes: '' }, { rules: { rpe: RUN_RULES.rpe } })
  const [name, rpe, notesAppend] = [values.name.trim(), wholeOf(values.rpe), values.notes.trim()]
  const entered = {
    ...(name === '' ? {} : { name }),
    ...(rpe === null ? {} : { rpe }),
    ...(notesAppend === '' ? {} : { notesAppend }),
  }
  const set = chosen ?? (isValid && Object.keys(entered).length > 0 ? entered : null)
  const ask = () => api.trial('POST', '/workouts/bulk-edit', { ids, set })
  const asked = useAsked(set && JSON.stringify(set), ask, PAUSE_MS)
  const save = async () => {
    const { changed, receiptId } = await api.send('POST', '/workouts/bulk-edit', { ids, set: set ?? {} })
    toastDone(`${counted(changed, 'run')} changed`, [receiptId])
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        action={chosen === null ? title : 'Change'}
        isPrimary
        isIncomplete={!asked.answer?.changed || asked.isOutdated}
        onCancel={onClose}
        onSend={save}
      >
        {chosen === null && (
          <>
            <Field
              label="Name"
              {...field('name')}
              maxLength={LENGTHS.name}
              hint="Leave empty to keep each name"
              autofocus
            />
            <Field {...numberField('rpe')} {...field('rpe')} />
            <Field label="Add to notes" {...field('notes')} />
          </>
        )}
        <Trial {...asked} isAwaited={chosen !== null}>
          {({ changed, unchanged }) => {
            const same = `${number(unchanged)} already set`
            if (changed === 0) return `Nothing changes (${same}).`
            const change = changed === 1 ? 'changes' : 'change'
            return unchanged === 0 ? `${counted(changed, 'run')} ${change}.` : `${number(changed)} ${change}, ${same}.`
          }}
        </Trial>
      </Form>
    </Dialog>
  )
}

const GAPS = [
  ['pause', 'Count the time as a pause'],
  ['straight', 'Count the straight line as distance'],
  ['none', 'Leave the gap out'],
] as const

interface JoinDialogProps {
  readonly ids: readonly string[]
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Joins runs: shows the resulting run, and how the time between them is treated. */
function JoinDialog({ ids, onDone, onClose }: JoinDialogProps) {
  const units = useUnits()
  const [gap, setGap] = useState<(typeof GAPS)[number][0]>('pause')
  const asked = useAsked(gap, () => api.trial('POST', '/workouts/join', { ids, gap }))
  const runs = counted(ids.length, 'run')
  const save = async () => {
    toastDone(`${runs} joined`, [await api.change('POST', '/workouts/join', { ids, gap })])
    onClose()
    onDone()
  }
  const isIncomplete = asked.answer === null || asked.isOutdated
  return (
    <Dialog title={`Join ${runs}?`} onClose={onClose}>
      <Form action="Join" isPrimary isIncomplete={isIncomplete} onCancel={onClose} onSend={save}>
        <Select label="Between the runs" value={gap} options={GAPS} onValue={setGap} />
        <Trial {...asked} isAwaited>
          {({ after }) =>
            `One run: ${text(distance(after.distanceM, units))} in ${duration(after.durationS)}. All recordings, photos and notes are kept.`
          }
        </Trial>
      </Form>
    </Dialog>
  )
}

interface TrialProps<T> {
  readonly answer: T | null
  readonly failure: string | null
  /** It keeps its place until the answer is there. */
  readonly isAwaited: boolean
  readonly children: (answer: T) => string
}

/** What a change would do. */
function Trial<T>({ answer, failure, isAwaited, children }: TrialProps<T>) {
  return (
    <>
      <div aria-live="polite">
        {answer !== null ? (
          <p>{children(answer)}</p>
        ) : (
          isAwaited && failure === null && <SkeletonLines count={1} height="1.4rem" />
        )}
      </div>
      {failure !== null && <Notice kind="bad">{failure}</Notice>}
    </>
  )
}
