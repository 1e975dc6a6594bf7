import { PROFILE_RANGES } from '../../../engine/training/profile.ts'
import { api } from '../../api.ts'
import { date, number } from '../../format.ts'
import { useResource, useUnits } from '../../state.ts'
import type { TrainingProfile } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Pending } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Check, Field, Segments } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Help } from '../../ui/help.tsx'
import { toast } from '../../ui/toast.tsx'
import { useFields } from '../../ui/use-fields.ts'
import { offsetQuery, today } from '../stats.ts'
import {
  blankEntry,
  bodyOf,
  draftFault,
  draftOf,
  type EntryDraft,
  type EntryKey,
  entryFault,
  entryFields,
  type ProfileDraft,
  paceShown,
} from './profile-draft.ts'

const PROFILE = '/settings/training'
const SOURCES = {
  runner: 'set by you',
  zones: 'from your heart-rate zones',
  default: 'default',
  estimated: 'from your hard efforts',
} as const

/** The runner's profile by date, which loads and estimates are computed from. */
export function TrainingProfileSettings() {
  const units = useUnits()
  const { data, error } = useResource(`${PROFILE}?${offsetQuery()}`)
  if (data !== null) {
    const { effective, ...stored } = data
    return (
      <>
        <Effective effective={effective} />
        <p class="muted small">
          Loads are based on these values{' '}
          <Help about="the effect of a wrong value">
            If LTHR is off by 5 bpm, every load is off by 11–13%. If resting HR is off by 10 bpm, an easy run’s load is
            off by about 7%. If max HR is off by 5 bpm, loads are off by 2%, or by 8–10% while LTHR is a default. How
            runs compare hardly changes.
          </Help>
        </p>
        <ProfileForm key={units + JSON.stringify(stored)} stored={data} />
      </>
    )
  }
  return <Pending error={error} height="420px" />
}

/** The values that apply today, with their sources. */
function Effective({ effective }: { readonly effective: TrainingProfile['effective'] }) {
  const units = useUnits()
  const fields = entryFields(units)
  const facts = (Object.keys(fields) as EntryKey[]).map((name) => {
    const { value, source } = effective[name]
    const { label, unit, size } = fields[name]
    const shown = value !== null && (
      <>
        {size === null ? `${paceShown(value, units)}${unit}` : `${number(value / size)} ${unit}`}{' '}
        <span class="delta">{source === null ? '' : SOURCES[source]}</span>
      </>
    )
    return [label, shown] as const
  })
  return <Facts of={facts} />
}

function ProfileForm({ stored }: { readonly stored: TrainingProfile }) {
  const units = useUnits()
  const fields = useFields(draftOf(stored, units), {
    send: async (draft) => {
      await api.send('PUT', PROFILE, bodyOf(draft, stored, units))
      toast('Profile saved. Loads update in a moment')
    },
  })
  const { values: draft, choice, set, form } = fields
  const wrong = draftFault(draft, units)
  const { entries } = draft
  const change = (key: number, wanted: Partial<EntryDraft>) =>
    set({ entries: entries.map((entry) => (entry.key === key ? { ...entry, ...wanted } : entry)) })
  const add = () => {
    const key = 1 + Math.max(-1, ...entries.map((entry) => entry.key))
    set({ entries: [...entries, blankEntry(key, entries.length === 0 ? '' : today())] })
  }
  return (
    <Form {...form} isIncomplete={wrong !== null} action="Save profile" isPrimary>
      <div class="row">
        <span>Sex (weights high heart rates)</span>
        <Segments
          legend="Sex"
          {...choice('sex')}
          options={[
            ['unsaid', 'Not set'],
            ['female', 'Female'],
            ['male', 'Male'],
          ]}
        />
      </div>
      {entries.map((entry) => (
        <EntryFields
          key={entry.key}
          entry={entry}
          onChange={(wanted) => change(entry.key, wanted)}
          onRemove={entries.length === 1 ? null : () => set({ entries: entries.filter((one) => one !== entry) })}
        />
      ))}
      <div class="actions start">
        <Button size="small" icon="plus" onClick={add}>
          Add values from a later date
        </Button>
      </div>
      <More fields={fields} />
      {wrong !== null && <p class="muted small">{wrong}</p>}
    </Form>
  )
}

interface EntryFieldsProps {
  readonly entry: EntryDraft
  readonly onChange: (change: Partial<EntryDraft>) => void
  /** null: it is the only entry. */
  readonly onRemove: (() => void) | null
}

/** The values valid from a day on; an empty one continues the earlier value, or is a default. */
function EntryFields({ entry, onChange, onRemove }: EntryFieldsProps) {
  const units = useUnits()
  const fields = entryFields(units)
  const name = entry.from === '' ? 'From the start' : `From ${date(entry.from, 'short')}`
  return (
    <fieldset class="entry">
      <legend>{name}</legend>
      <div class="columns">
        <Field
          label="Effective from"
          type="date"
          value={entry.from}
          hint="Leave empty for “from the start”"
          onText={(from) => onChange({ from })}
        />
        {(Object.keys(fields) as EntryKey[]).map((key) => (
          <Field
            key={key}
            label={fields[key].label}
            value={entry[key]}
            suffix={fields[key].unit}
            inputMode={fields[key].size === null ? 'text' : 'decimal'}
            autocomplete="off"
            fault={entryFault(key, entry[key], units)}
            onText={(value) => onChange({ [key]: value })}
          />
        ))}
      </div>
      {onRemove !== null && (
        <Button size="small" kind="quiet" aria-label={`Remove values: ${name}`} onClick={onRemove}>
          Remove
        </Button>
      )}
    </fieldset>
  )
}

const BORDERS = ['Marathon from', 'Threshold from', 'Interval from', 'Repetition from'] as const

/** Rarely changed settings. */
function More({ fields: { values, field, set } }: { readonly fields: ReturnType<typeof useFields<ProfileDraft>> }) {
  const units = useUnits()
  const { paceZoneBorders: borders } = values
  const amount = (key: 'fitnessDays' | 'fatigueDays' | 'fitnessSeed' | 'referenceHeartRateBpm' | 'minRunsPerWeek') => ({
    type: 'number' as const,
    inputMode: 'numeric' as const,
    min: PROFILE_RANGES[key][0],
    max: PROFILE_RANGES[key][1],
    ...field(key),
  })
  return (
    <details class="more-profile">
      <summary>Advanced</summary>
      <div class="form">
        <div class="columns">
          <Field label="Fitness average" suffix="days" required {...amount('fitnessDays')} />
          <Field label="Fatigue average" suffix="days" required {...amount('fatigueDays')} />
          <Field label="Fitness before first run" hint="Leave empty for a beginner" {...amount('fitnessSeed')} />
          <Field
            label="Reference HR"
            suffix="bpm"
            hint="Leave empty for 75% of max HR"
            {...amount('referenceHeartRateBpm')}
          />
          <Field label="Runs in a full week" suffix="runs" required {...amount('minRunsPerWeek')} />
        </div>
        <Check
          checked={borders !== null}
          onValue={(isOwn) => set({ paceZoneBorders: isOwn ? ['', '', '', ''] : null })}
        >
          Set pace zone limits manually
        </Check>
        {borders !== null && (
          <div class="columns">
            {BORDERS.map((label, index) => (
              <Field
                key={label}
                label={label}
                value={borders[index] ?? ''}
                suffix={entryFields(units).thresholdPaceS.unit}
                placeholder="5:10"
                autocomplete="off"
                onText={(value) => set({ paceZoneBorders: borders.with(index, value) })}
              />
            ))}
          </div>
        )}
      </div>
    </details>
  )
}
