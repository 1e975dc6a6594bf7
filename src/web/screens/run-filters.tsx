import { useEffect, useState } from 'preact/hooks'
import { RUN_TYPES } from '../../engine/limits.ts'
import { useYears } from '../asked.ts'
import { date, dateRange, lowered } from '../format.ts'
import { useResource, useUnits } from '../state.ts'
import { Button, Icon } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Check, Field, Form, Select } from '../ui/form.tsx'
import { TERMS } from '../words.ts'
import {
  boundOf,
  type Filters,
  isFiltered,
  isUsuallyAscending,
  NO_FILTERS,
  NONE,
  RANGES,
  rangeUnit,
  SORTS,
} from './run-query.ts'

interface Filtering {
  readonly filters: Filters
  readonly onChange: (changed: Partial<Filters>) => void
}

interface RunFiltersProps extends Filtering {
  readonly isChoosing: boolean
  readonly onChoosing: (isChoosing: boolean) => void
}

/** Days that are not those of one year. */
const OTHER = 'other'
/** Delay between the last key and the request. */
const TYPING_MS = 250

const KINDS = [...RUN_TYPES.map((type) => [type, type] as const), [NONE, TERMS.noType] as const]

/** Search, types, order and the filters in use; all filters are in a dialog. */
export function RunFilters({ filters, onChange, isChoosing, onChoosing }: RunFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const years = useYears()
  const { from, to } = filters
  const year = years.find((one) => from === `${one}-01-01` && to === `${one}-12-31`) ?? (from + to === '' ? '' : OTHER)
  return (
    <search class="stack below-4">
      <div class="filter-line flow">
        <Search value={filters.search} onValue={(search) => onChange({ search })} />
        <div class="order level">
          <Select
            label="Sort by"
            isLabelHidden
            value={filters.sort}
            options={SORTS}
            onValue={(sort) => onChange({ sort, isAscending: isUsuallyAscending(sort) })}
          />
          <Button
            icon={filters.isAscending ? 'up' : 'down'}
            aria-label={orderText(filters)}
            onClick={() => onChange({ isAscending: !filters.isAscending })}
          />
        </div>
        <Select<string>
          label="Year"
          isLabelHidden
          value={year}
          options={[
            ['', 'All time'],
            ...years.map((one) => [one, one] as const),
            ...(year === OTHER ? [[OTHER, 'Dates'] as const] : []),
          ]}
          onValue={(one) =>
            one !== OTHER && onChange(one === '' ? { from: '', to: '' } : { from: `${one}-01-01`, to: `${one}-12-31` })
          }
        />
        <Button icon="filter" aria-label="Filters" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <span class="wide-name">Filters</span>
        </Button>
        <Button icon="check" aria-label="Select runs" aria-pressed={isChoosing} onClick={() => onChoosing(!isChoosing)}>
          <span class="wide-name">Select</span>
        </Button>
      </div>
      <section class="chips flow" aria-label="Run type and filters">
        {KINDS.map(([type, name]) => (
          <button
            key={type}
            type="button"
            class="button small chip"
            aria-pressed={filters.type === type}
            onClick={() => onChange({ type: filters.type === type ? '' : type })}
          >
            {name}
          </button>
        ))}
        <ActiveFilters filters={filters} onChange={onChange} />
        {isFiltered(filters) && (
          <button type="button" class="button small quiet chip" onClick={() => onChange(NO_FILTERS)}>
            <Icon name="close" /> Clear
          </button>
        )}
      </section>
      {isOpen && <FiltersDialog filters={filters} onChange={onChange} onClose={() => setOpen(false)} />}
    </search>
  )
}

/** One chip for each filter in use beside search and type; a click removes it. */
function ActiveFilters({ filters, onChange }: Filtering) {
  const units = useUnits()
  const { from, to, shoe, device, counted } = filters
  const { data } = useResource(shoe === '' || shoe === NONE ? null : '/shoes')
  const worn = data?.find(({ id }) => id === shoe)
  const chips: (readonly [text: string, without: Partial<Filters>])[] = []
  if (from !== '' || to !== '') chips.push([daysText(from, to), { from: '', to: '' }])
  for (const [name, , label] of RANGES) {
    const [min, max] = [filters[`min${name}`], filters[`max${name}`]]
    if (min === '' && max === '') continue
    const range = min === '' ? `up to ${max}` : max === '' ? `from ${min}` : `${min}–${max}`
    const unit = rangeUnit(name, units).replace(/^(?=[^/])/, ' ')
    chips.push([`${label} ${range}${unit}`, { [`min${name}`]: '', [`max${name}`]: '' }])
  }
  const wornName = worn === undefined ? 'Shoes' : `${worn.brand} ${worn.model}`
  if (shoe !== '') chips.push([shoe === NONE ? 'No shoes' : wornName, { shoe: '' }])
  if (device !== '') chips.push([device === NONE ? 'No device' : device, { device: '' }])
  if (counted !== '') chips.push(['Counted runs', { counted: '' }])
  return chips.map(([text, without]) => (
    <button
      key={text}
      type="button"
      class="button small chip active"
      aria-label={`Remove filter: ${text}`}
      onClick={() => onChange(without)}
    >
      {text} <Icon name="close" />
    </button>
  ))
}

function daysText(from: string, to: string): string {
  if (from !== '' && to !== '') return from === to ? date(from) : dateRange(from, to, 'short')
  return from === '' ? `Until ${date(to)}` : `Since ${date(from)}`
}

/** The order as text for screen readers. */
function orderText({ sort, isAscending }: Filters): string {
  if (sort === 'pace') return isAscending ? 'Fastest first' : 'Slowest first'
  return isAscending ? 'Smallest or oldest first' : 'Largest or newest first'
}

function Search({ value, onValue }: { readonly value: string; readonly onValue: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onValue(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        class="input"
        aria-label="Search runs by name, notes, shoe, place or device"
        placeholder="Search name, notes, shoe, place, device"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <span class="suffix level">
        <kbd>/</kbd>
      </span>
    </div>
  )
}

type FiltersDialogProps = Filtering & { readonly onClose: () => void }

/** All filters of the list but search and type, which are above it. */
function FiltersDialog({ filters, onChange, onClose }: FiltersDialogProps) {
  const units = useUnits()
  const [draft, setDraft] = useState(filters)
  const set = (changed: Partial<Filters>) => setDraft((now) => ({ ...now, ...changed }))
  const { data } = useResource('/shoes')
  const shoes = (data ?? []).map(({ id, brand, model }) => [id, `${brand} ${model}`] as const)
  const bounds = RANGES.flatMap(([name, , label]) =>
    (['min', 'max'] as const).map((side) => {
      const key = `${side}${name}` as const
      const isFaulty = draft[key].trim() !== '' && boundOf(name, draft[key], units) === null
      const fault = isFaulty ? `Enter a ${name === 'Pace' ? 'pace like 5:30' : 'number'}` : null
      // of a pace the least is the fastest
      const [least, most] = name === 'Pace' ? ['Fastest', 'Slowest'] : ['Min', 'Max']
      return { key, name, fault, label: `${side === 'min' ? least : most} ${lowered(label)}` }
    }),
  )
  return (
    <Dialog title="Filters" onClose={onClose}>
      <Form
        action="Show runs"
        isPrimary
        isIncomplete={bounds.some(({ fault }) => fault !== null)}
        onCancel={onClose}
        onSend={async () => {
          onChange(draft)
          onClose()
        }}
      >
        <div class="stack gap-4 top" style={{ gridTemplateColumns: '1fr 1fr' }}>
          <Field label="From" type="date" value={draft.from} onText={(from) => set({ from })} />
          <Field label="Until" type="date" value={draft.to} onText={(to) => set({ to })} />
          {bounds.map(({ key, name, ...of }) => (
            <Field
              key={key}
              {...of}
              inputMode={name === 'Pace' ? 'text' : 'decimal'}
              {...(rangeUnit(name, units) === '' ? {} : { suffix: rangeUnit(name, units) })}
              value={draft[key]}
              onText={(text) => set({ [key]: text })}
            />
          ))}
          <Select<string>
            label="Shoes"
            value={draft.shoe}
            options={[['', 'Any'], ...shoes, [NONE, 'None']]}
            onValue={(shoe) => set({ shoe })}
          />
          <Field
            label="Device"
            placeholder="Part of its name"
            value={draft.device}
            onText={(device) => set({ device })}
          />
        </div>
        <Check checked={draft.counted !== ''} onValue={(isOnly) => set({ counted: isOnly ? 'yes' : '' })}>
          Only runs that count in statistics
        </Check>
      </Form>
    </Dialog>
  )
}
