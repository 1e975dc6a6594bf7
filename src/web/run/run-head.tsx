import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { LENGTHS } from '../../base/texts.ts'
import { RUN_TYPES } from '../../engine/limits.ts'
import { DAY_MS } from '../../engine/units.ts'
import { api, failureText } from '../api.ts'
import { useShare } from '../asked.ts'
import { date, distance, runName, text } from '../format.ts'
import { GroundNews } from '../map/ground-news.tsx'
import { Link } from '../router.ts'
import { SuggestedType, shoeOptions, wearable } from '../run-fields.tsx'
import { sharedWords } from '../share-words.ts'
import { useResource, useUnits } from '../state.ts'
import type { Run } from '../types.ts'
import { Button, Icon } from '../ui/button.tsx'
import { LinkedText } from '../ui/card.tsx'
import { Notice } from '../ui/loaded.tsx'
import { toast } from '../ui/toast.tsx'
import { TERMS } from '../words.ts'
import type { Parts } from './charts/series.ts'
import type { Detail, Edit } from './run-view.ts'
import './run-parts.css'

const TYPES = RUN_TYPES.toReversed()
/** To choose a type from. */
export const TYPE_OPTIONS = [['', TERMS.noType], ...TYPES.map((type) => [type, type] as const)] as const
const EFFORTS = [
  ...['Very easy', 'Easy', 'Light', 'Moderate', 'Somewhat hard'],
  ...['Hard', 'Harder', 'Very hard', 'Extremely hard', 'All out'],
]
/** To choose a perceived effort from. */
export const RPE_OPTIONS = [
  ['', 'No RPE'],
  ...EFFORTS.map((name, k) => [String(k + 1), `RPE ${k + 1} · ${name}`] as const),
] as const

/** Name, day, and what the runner entered; everything is edited in place. */
export function RunHead({ run, actions, onEdit }: Parts<'run' | 'onEdit'> & { actions: ComponentChildren }) {
  const [failure, setFailure] = useState<string | null>(null)
  const save = async (edit: Edit) => setFailure(await onEdit(edit))
  return (
    <header class="stack gap-2">
      <div class="level spread gap-4">
        <div class="run-heading flow baseline grow">
          <NameField run={run} onSave={(name) => save({ name })} />
          <time class="muted small" dateTime={run.startedAt}>
            {date(run.startedAt, 'full', run.utcOffsetMinutes)}, {date(run.startedAt, 'time', run.utcOffsetMinutes)}
          </time>
          <SharedSign id={run.id} />
        </div>
        <div class="run-actions">{actions}</div>
      </div>
      <div class="run-tags flow">
        <RunTags run={run} onSave={save} />
        <SuggestedType run={run} />
        <RunNotes notes={run.notes} onSave={(notes) => onEdit({ notes })} />
        {/* in a line that is there already, since it comes later */}
        {run.hasRoute && <NewGround runId={run.id} />}
        {run.device !== null && <span class="run-device push muted small">{run.device}</span>}
      </div>
      {failure !== null && <Notice kind="bad">{failure}</Notice>}
    </header>
  )
}

/** That others can see it. */
function SharedSign({ id }: Pick<Detail, 'id'>) {
  const share = useShare(id)
  return share !== null && <span class="muted small">{sharedWords(share)}</span>
}

type Tagged = Pick<Detail, 'runType' | 'rpe' | 'shoeId' | 'startedAt'> & Partial<Pick<Detail, 'shoe'>>

/** Type, perceived effort and shoe. */
function RunTags({ run, onSave }: { readonly run: Tagged; readonly onSave: (edit: Edit) => void }) {
  const { runType, rpe, shoeId } = run
  const shoes = useShoeOptions(run)
  return (
    <>
      <Tag
        label="Run type"
        value={runType ?? ''}
        options={TYPE_OPTIONS}
        onSave={(value) => onSave({ runType: TYPES.find((type) => type === value) ?? null })}
      />
      <Tag
        label="RPE (perceived effort), 1–10"
        value={rpe === null ? '' : String(rpe)}
        options={RPE_OPTIONS}
        onSave={(value) => onSave({ rpe: value === '' ? null : Number(value) })}
      />
      {shoes.length > 0 && (
        <Tag
          label="Shoe"
          value={shoeId ?? ''}
          options={[['', TERMS.noShoe], ...shoes]}
          onSave={(value) => onSave({ shoeId: value === '' ? null : value })}
        />
      )}
    </>
  )
}

/** The shoes that can have been worn on a run, and the one that was. */
export function useShoeOptions({ shoe, shoeId, startedAt }: Tagged) {
  const { data } = useResource('/shoes')
  return shoeOptions(data === null ? (shoe == null ? [] : [shoe]) : wearable(data, startedAt, shoeId))
}

/** The heading, edited in place. */
function NameField({ run, onSave }: { readonly run: Detail; readonly onSave: (name: string | null) => void }) {
  const { isOpen, button, input, onSubmit } = useLine(run.name, async (name) => {
    // the page head shows errors
    onSave(name)
    return null
  })
  if (!isOpen) {
    return (
      <h1 tabIndex={-1}>
        <button type="button" class="run-name" title="Rename" {...button}>
          {runName(run)}
          <Icon name="edit" class="name-edit" />
        </button>
      </h1>
    )
  }
  return (
    <form onSubmit={onSubmit}>
      <input
        {...input}
        class="run-name-line"
        aria-label="Run name"
        maxLength={LENGTHS.name}
        placeholder={runName({ ...run, name: null })}
      />
    </form>
  )
}

interface TagProps {
  readonly label: string
  /** Empty: nothing is chosen. */
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onSave: (value: string) => void
}

function Tag({ label, value, options, onSave }: TagProps) {
  return (
    <select
      class={value === '' ? 'run-tag input' : 'run-tag set input'}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onSave(currentTarget.value)}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface RunNotesProps {
  readonly notes: string | null
  /** The form is open at first. */
  readonly isOpened?: boolean
  readonly onSave: (notes: string | null) => Promise<string | null>
}

/** The runner's notes. A text that could not be stored stays in its field. */
function RunNotes({ notes, isOpened = false, onSave }: RunNotesProps) {
  const [draft, setDraft] = useState<string | null>(isOpened ? (notes ?? '') : null)
  const [failure, setFailure] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const isOpen = draft !== null
  // before anything can be typed
  useLayoutEffect(() => {
    if (isOpen) field.current?.focus()
  }, [isOpen])
  if (draft === null) {
    const edit = () => setDraft(notes ?? '')
    if (notes === null) {
      return (
        <button type="button" class="run-notes bare muted small" onClick={edit}>
          Add notes
        </button>
      )
    }
    return (
      <div class="run-notes">
        <LinkedText text={notes} />
        <Button kind="quiet" size="small" icon="edit" aria-label="Edit notes" onClick={edit} />
      </div>
    )
  }
  const save = async () => {
    const text = draft.trim() === '' ? null : draft
    setDraft(null)
    const words = text === notes ? null : await onSave(text)
    setFailure(words)
    if (words !== null) setDraft(draft)
  }
  return (
    <form
      class="run-notes-form stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <textarea
        ref={field}
        class="input"
        aria-label="Notes"
        rows={4}
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft(null)
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void save()
        }}
      />
      {failure !== null && <Notice kind="bad">{failure}</Notice>}
      <div class="actions start">
        <Button kind="primary" size="small" type="submit">
          Save notes
        </Button>
        <Button size="small" onClick={() => setDraft(null)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** The run with pending edits: a change is shown at once and reverted when it could not be stored. */
export function useEdits<T extends Run>(data: T | null, id: string) {
  const [changes, setChanges] = useState<Partial<T>>({})
  const underWay = useRef(0)
  useEffect(() => {
    if (underWay.current === 0) setChanges({})
  }, [data])
  const edit = async (wanted: Edit): Promise<string | null> => {
    const names = Object.keys(wanted) as (keyof Edit)[]
    setChanges((now) => ({ ...now, ...(wanted as Partial<T>) }))
    underWay.current += 1
    try {
      await api.send('PATCH', `/workouts/${id}`, wanted)
      return null
    } catch (error) {
      setChanges(
        (now) =>
          Object.fromEntries(Object.entries(now).filter(([name]) => !names.some((one) => one === name))) as Partial<T>,
      )
      return failureText(error, TERMS.notSaved)
    } finally {
      underWay.current -= 1
    }
  }
  return { run: data === null ? null : { ...data, ...changes }, edit }
}

/**
 * A text edited in place: a button that becomes an input. Enter or leaving it stores, Escape discards.
 * @param onSave stores the text; resolves to an error message, with which the input opens again, or null
 */
export function useLine(text: string | null, onSave: (text: string | null) => Promise<string | null>) {
  const [draft, setDraft] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const line = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = useRef(false)
  // before anything can be typed
  useLayoutEffect(() => {
    if (draft !== null && !isOpen.current) line.current?.select()
    isOpen.current = draft !== null
  }, [draft])
  const close = async ({ isStored, isLeft = false }: { readonly isStored: boolean; readonly isLeft?: boolean }) => {
    // closing the input removes its focus, which must not store a discarded text
    if (draft === null || !isOpen.current) return
    isOpen.current = false
    const wanted = draft.trim() === '' ? null : draft.trim()
    setDraft(null)
    // after leaving the input the focus is elsewhere already
    if (!isLeft) requestAnimationFrame(() => button.current?.focus())
    const words = isStored && wanted !== text ? await onSave(wanted) : null
    setFailure(words)
    if (words !== null) setDraft(draft)
  }
  return {
    isOpen: draft !== null,
    failure,
    button: { ref: button, onClick: () => setDraft(text ?? '') },
    onSubmit: (event: Event) => {
      event.preventDefault()
      void close({ isStored: true })
    },
    input: {
      ref: line,
      value: draft ?? '',
      onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setDraft(currentTarget.value),
      onBlur: () => void close({ isStored: true, isLeft: true }),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape') return
        // Escape must close only the input, not the dialog around it
        event.preventDefault()
        void close({ isStored: false })
      },
    },
  }
}

/** What was new in a run. */
export function NewGround({ runId }: { readonly runId: string }) {
  const { data } = useResource(`/workouts/${runId}/ground`)
  return data && <GroundNews newSquares={data.newSquares.length} newM={data.newM} />
}

/** What a runner enters after a run: type, perceived effort, shoe and notes, which are loaded when asked for. */
export function QuickEdit({ run: stored }: { readonly run: Run }) {
  const [hasNotes, setHasNotes] = useState(false)
  const { data } = useResource(hasNotes ? `/workouts/${stored.id}?includeRaw=false&includeRoute=false` : null)
  const { run, edit } = useEdits(stored, stored.id)
  const save = async (wanted: Edit) => {
    const failure = await edit(wanted)
    if (failure !== null) toast(failure)
  }
  return (
    <>
      <div class="run-tags flow">
        {/* first: the shoes come later, and would move it */}
        {!hasNotes && (
          <Button kind="quiet" size="small" icon="edit" onClick={() => setHasNotes(true)}>
            Notes
          </Button>
        )}
        <RunTags run={run ?? stored} onSave={(wanted) => void save(wanted)} />
      </div>
      {data !== null && <RunNotes notes={data.notes} isOpened onSave={(notes) => edit({ notes })} />}
    </>
  )
}

interface OverlapProps {
  /** Start and end, milliseconds; null: not known yet. */
  readonly startMs: number | null
  readonly endMs: number | null
  /** The run itself. */
  readonly exceptId?: string
}

/** Says which run took place at the same time as one that was entered by hand. */
export function Overlap({ startMs, endMs, exceptId }: OverlapProps) {
  const units = useUnits()
  const isKnown = startMs !== null && endMs !== null && startMs > 0
  const iso = (ms: number) => new Date(ms).toISOString()
  // a run that began more than a day before is over
  const path = isKnown && (`/workouts?pageSize=100&startDate=${iso(startMs - DAY_MS)}&endDate=${iso(endMs)}` as const)
  const { data } = useResource(path || null)
  const other = data?.items.find(
    ({ id, startedAt, durationS }) => id !== exceptId && Date.parse(startedAt) + 1000 * durationS > (startMs ?? 0),
  )
  if (other === undefined) return null
  const name = runName(other)
  return (
    <Notice icon="clock">
      {/* a link would leave the form of a run that is not stored yet */}
      Overlaps with {exceptId === undefined ? name : <Link href={`/app/runs/${other.id}`}>{name}</Link>} of{' '}
      {date(other.startedAt, 'dateTime', other.utcOffsetMinutes)}, {text(distance(other.distanceM, units))}. Both count.
    </Notice>
  )
}
