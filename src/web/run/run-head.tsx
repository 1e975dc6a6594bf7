import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { LENGTHS } from '../../base/texts.ts'
import { RUN_TYPES } from '../../engine/limits.ts'
import { date, runName } from '../format.ts'
import { shoeOptions, wearable } from '../shoe-options.ts'
import { useResource } from '../state.ts'
import { SuggestedType } from '../suggested-type.tsx'
import { Notice } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { TERMS } from '../words.ts'
import { NewGround } from './new-ground.tsx'
import type { Detail, Edit } from './types.ts'
import { useLine } from './use-line.ts'
import './run-head.css'

interface RunHeadProps {
  readonly run: Detail
  readonly actions: ComponentChildren
  /** Stores changes; resolves to an error message, or null. */
  readonly onEdit: (edit: Edit) => Promise<string | null>
}

const TYPES = RUN_TYPES.toReversed()
const EFFORTS: readonly string[] = [
  'Very easy',
  'Easy',
  'Light',
  'Moderate',
  'Somewhat hard',
  'Hard',
  'Harder',
  'Very hard',
  'Extremely hard',
  'All out',
]

/** Name, day, and what the runner entered; everything is edited in place. */
export function RunHead({ run, actions, onEdit }: RunHeadProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const save = async (edit: Edit) => setFailure(await onEdit(edit))
  return (
    <header class="stack gap-4">
      <div class="run-title-line level spread gap-4">
        <div class="run-heading grow">
          <p class="muted small">
            <time dateTime={run.startedAt}>
              {date(run.startedAt, 'full', run.utcOffsetMinutes)}, {date(run.startedAt, 'time', run.utcOffsetMinutes)}
            </time>
          </p>
          <NameField run={run} onSave={(name) => save({ name })} />
        </div>
        <div class="run-actions">{actions}</div>
      </div>
      <div class="run-tags flow">
        <RunTags run={run} onSave={save} />
        {/* in a line that is there already, since it comes later */}
        {run.hasRoute && <NewGround runId={run.id} />}
        {run.device !== null && <span class="run-device muted small">{run.device}</span>}
      </div>
      <SuggestedType run={run} />
      {failure !== null && <Notice kind="bad">{failure}</Notice>}
    </header>
  )
}

type Tagged = Pick<Detail, 'runType' | 'rpe' | 'shoeId' | 'startedAt'> & Partial<Pick<Detail, 'shoe'>>

/** Type, perceived effort and shoe. */
export function RunTags({ run, onSave }: { readonly run: Tagged; readonly onSave: (edit: Edit) => void }) {
  return (
    <>
      <TypeChoice value={run.runType} onSave={(runType) => onSave({ runType })} />
      <EffortChoice value={run.rpe} onSave={(rpe) => onSave({ rpe })} />
      <ShoeChoice run={run} onSave={(shoeId) => onSave({ shoeId })} />
    </>
  )
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
    <form class="run-rename" onSubmit={onSubmit}>
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

interface ChoiceProps<T> {
  readonly value: T | null
  readonly onSave: (value: T | null) => void
}

function TypeChoice({ value, onSave }: ChoiceProps<(typeof TYPES)[number]>) {
  return (
    <Tag isSet={value !== null}>
      <select
        aria-label="Run type"
        value={value ?? ''}
        onChange={(event) => onSave(TYPES.find((type) => type === event.currentTarget.value) ?? null)}
      >
        <option value="">{TERMS.noType}</option>
        {TYPES.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
    </Tag>
  )
}

function EffortChoice({ value, onSave }: ChoiceProps<number>) {
  return (
    <Tag isSet={value !== null}>
      <select
        aria-label="RPE (perceived effort), 1–10"
        value={value === null ? '' : String(value)}
        onChange={(event) => onSave(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))}
      >
        <option value="">No RPE</option>
        {EFFORTS.map((name, k) => (
          <option key={name} value={String(k + 1)}>
            RPE {k + 1} · {name}
          </option>
        ))}
      </select>
    </Tag>
  )
}

function ShoeChoice({ run, onSave }: { readonly run: Tagged; readonly onSave: (shoeId: string | null) => void }) {
  const { data } = useResource('/shoes')
  const worn = run.shoe == null ? [] : [run.shoe]
  const shoes = shoeOptions(data === null ? worn : wearable(data, run.startedAt, run.shoeId))
  if (shoes.length === 0) return null
  return (
    <Tag isSet={run.shoeId !== null}>
      <select
        aria-label="Shoe"
        value={run.shoeId ?? ''}
        onChange={(event) => onSave(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      >
        <option value="">{TERMS.noShoe}</option>
        {shoes.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Tag>
  )
}

function Tag({ isSet, children }: { readonly isSet: boolean; readonly children: ComponentChildren }) {
  return (
    <span class={isSet ? 'run-tag set' : 'run-tag'}>
      {children}
      <Icon name="below" />
    </span>
  )
}
