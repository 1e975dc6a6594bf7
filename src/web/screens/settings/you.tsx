import { useState } from 'preact/hooks'
import { PROFILE_RANGES } from '../../../engine/training/profile.ts'
import { attempt, useAction } from '../../actions.ts'
import { api } from '../../api.ts'
import { counted, date, number, type PaceClock, setPaceClock, type Units, usePaceClock } from '../../format.ts'
import { saveUnits, showAnswer, type Theme, useResource, useTheme, useUnits } from '../../state.ts'
import type { TrainingProfile, Zones } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Check, Field, Form, Segments, useFields } from '../../ui/form.tsx'
import { Pending } from '../../ui/loaded.tsx'
import { Help } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { TERMS } from '../../words.ts'
import { Row } from '../row.tsx'
import { UnitsChoice, useZonesDraft, ZonesFields } from '../setup-fields.tsx'
import { offsetQuery } from '../stats.ts'
import {
  AMOUNT_KEYS,
  type AmountKey,
  bodyOf,
  draftFault,
  draftOf,
  ENTRY_KEYS,
  type EntryDraft,
  entryFault,
  entryFields,
  entryText,
  type ProfileDraft,
  paceShown,
} from './profile-draft.ts'

/** Units, the time of runs, and the theme. */
export function UnitsAndTheme() {
  const { theme, setTheme } = useTheme()
  return (
    <div class="rows">
      <div class="row flow spread">
        <span>Units</span>
        <UnitsChoice value={useUnits()} onValue={(units) => void attempt(() => saveUnits(units))} />
      </div>
      <Row isAlone name="Time and pace of runs" about={['Races always show elapsed time']}>
        <Segments<PaceClock>
          legend="Time and pace of runs"
          value={usePaceClock()}
          options={[
            ['moving', 'Moving'],
            ['elapsed', 'Elapsed'],
          ]}
          onValue={setPaceClock}
        />
      </Row>
      <div class="row flow spread">
        <span>Theme</span>
        <Segments<Theme>
          legend="Theme"
          value={theme}
          options={[
            ['system', 'System'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          onValue={setTheme}
        />
      </div>
    </div>
  )
}

const ZONES = '/settings/heart-rate-zones'

export function ZonesSettings() {
  const { data, error } = useResource(ZONES)
  const affected = useResource('/workouts/recalculate-relative-effort/count')
  // rendered together, since the later answer would move the content below
  const isWhole = affected.data !== null || affected.error !== null
  if (data !== null && isWhole) {
    return <ZonesForm key={JSON.stringify(data)} stored={data} count={affected.data?.count ?? 0} />
  }
  return <Pending error={error} height="322px" />
}

interface ZonesFormProps {
  readonly stored: Zones
  /** Number of runs whose effort depends on the zones. */
  readonly count: number
}

function ZonesForm({ stored, count }: ZonesFormProps) {
  const draft = useZonesDraft(stored)
  const [isRecalculated, setRecalculated] = useState(true)
  const send = async () => {
    const { recalculatedCount } = await api.send('POST', `${ZONES}/update-with-recalc`, {
      ...draft.body,
      recalculateExisting: isRecalculated && count > 0,
    })
    toast(recalculatedCount === null ? 'Zones saved' : `Zones saved, ${counted(recalculatedCount, 'run')} recalculated`)
  }
  return (
    <Form action="Save zones" isPrimary isIncomplete={draft.fault !== null} onSend={send}>
      <ZonesFields draft={draft} />
      {count > 0 && (
        <Check checked={isRecalculated} onValue={setRecalculated}>
          Recalculate the relative effort of {count === 1 ? 'the run' : `all ${number(count)} runs`} with heart rate
        </Check>
      )}
    </Form>
  )
}

const PROFILE = '/settings/training'
const SOURCES = {
  zones: 'from your heart-rate zones',
  default: 'default',
  estimated: 'from your hard efforts',
} as const

const profilePath = () => `${PROFILE}?${offsetQuery()}` as const

/** What was stored is shown at once: it is loaded again only when loads are computed, and typing goes on meanwhile. */
async function saveProfile(body: object): Promise<void> {
  showAnswer(profilePath(), await api.send('PUT', PROFILE, body))
}

/** The runner's profile by date, which loads and estimates are computed from. */
export function TrainingProfileSettings() {
  const units = useUnits()
  const { data, error } = useResource(profilePath())
  if (data === null) return <Pending error={error} height="420px" />
  const { effective: _, ...stored } = data
  return <ProfileForm key={units + JSON.stringify(stored)} stored={data} />
}

function ProfileForm({ stored }: { readonly stored: TrainingProfile }) {
  const units = useUnits()
  const fields = useFields(draftOf(stored, units), {
    send: async (draft) => {
      await saveProfile(bodyOf(draft, stored, units))
      toast('Profile saved. Loads update in a moment')
    },
  })
  const { values: draft, choice, set, form } = fields
  const wrong = draftFault(draft, units)
  const { entry } = draft
  const known = entryFields(units)
  const put = (change: Partial<EntryDraft>) => set({ entry: { ...entry, ...change } })
  return (
    <Form {...form} isIncomplete={wrong !== null} action="Save profile" isPrimary>
      <div class="row flow spread">
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
      <div class="profile-fields">
        {ENTRY_KEYS.map((key) => (
          <Field
            key={key}
            label={known[key].label}
            value={entry[key]}
            {...inUse(stored.effective[key], known[key], units)}
            suffix={known[key].unit}
            inputMode={known[key].size === null ? 'text' : 'decimal'}
            autocomplete="off"
            fault={entryFault(key, entry[key], units)}
            onText={(value) => put({ [key]: value })}
          />
        ))}
        <Field
          label="Valid from"
          type="date"
          value={entry.from}
          hint="Empty: from the start"
          onText={(from) => put({ from })}
        />
      </div>
      <p class="muted small">
        A later “valid from” keeps the values below for older runs.{' '}
        <Help about="the effect of a wrong value">
          If LTHR is off by 5 bpm, every load is off by 11–13%. If resting HR is off by 10 bpm, an easy run’s load is
          off by about 7%. If max HR is off by 5 bpm, loads are off by 2%, or by 8–10% while LTHR is a default. How runs
          compare hardly changes.
        </Help>
      </p>
      <Earlier stored={stored} />
      <More fields={fields} />
      {wrong !== null && <p class="muted small">{wrong}</p>}
    </Form>
  )
}

type InUse = TrainingProfile['effective'][(typeof ENTRY_KEYS)[number]]
type Known = ReturnType<typeof entryFields>[(typeof ENTRY_KEYS)[number]]

/** The value that is used where none is set, with its source. */
function inUse({ value, source }: InUse, { size }: Known, units: Units) {
  if (value === null || source === null || source === 'runner') return {}
  return { placeholder: size === null ? paceShown(value, units) : number(value / size), hint: SOURCES[source] }
}

/** The values of every date, when there is more than one. */
function Earlier({ stored }: { readonly stored: TrainingProfile }) {
  const units = useUnits()
  const { isBusy, act } = useAction(TERMS.notSaved)
  const { effective: _, ...body } = stored
  const { entries } = body
  if (entries.length < 2) return null
  return (
    <ul class="rows">
      {entries.map((entry) => {
        const from = entry.from === null ? 'From the start' : `From ${date(entry.from, 'short')}`
        const remove = () => saveProfile({ ...body, entries: entries.filter((one) => one.from !== entry.from) })
        return (
          <Row key={from} name={<strong>{from}</strong>} about={[entryText(entry, units)]}>
            <Button
              size="small"
              kind="quiet"
              isBusy={isBusy}
              aria-label={`Remove values: ${from}`}
              onClick={() => void act(remove)}
            >
              Remove
            </Button>
          </Row>
        )
      })}
    </ul>
  )
}

const BORDERS = ['Marathon from', 'Threshold from', 'Interval from', 'Repetition from'] as const

const AMOUNTS: Readonly<Record<AmountKey, { label: string; suffix?: string; hint?: string; required?: true }>> = {
  fitnessDays: { label: 'Fitness average', suffix: 'days', required: true },
  fatigueDays: { label: 'Fatigue average', suffix: 'days', required: true },
  fitnessSeed: { label: 'Fitness before first run', hint: 'Leave empty for a beginner' },
  referenceHeartRateBpm: { label: 'Reference HR', suffix: 'bpm', hint: 'Leave empty for 75% of max HR' },
  minRunsPerWeek: { label: 'Runs in a full week', suffix: 'runs', required: true },
}

/** Rarely changed settings. */
function More({ fields: { values, field, set } }: { readonly fields: ReturnType<typeof useFields<ProfileDraft>> }) {
  const { unit } = entryFields(useUnits()).thresholdPaceS
  const { paceZoneBorders: borders } = values
  return (
    <details>
      <summary>Advanced</summary>
      <div class="form above-3">
        <div class="columns">
          {AMOUNT_KEYS.map((key) => {
            const [min, max] = PROFILE_RANGES[key]
            const range = { type: 'number', inputMode: 'numeric', min, max } as const
            return <Field key={key} {...AMOUNTS[key]} {...range} {...field(key)} />
          })}
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
                suffix={unit}
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
