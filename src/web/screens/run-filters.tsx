import { useEffect, useState } from 'preact/hooks'
import { RUN_TYPES } from '../../engine/limits.ts'
import { distanceUnit, type Units } from '../format.ts'
import { useResource } from '../state.ts'
import type { Shoe } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { type Filters, isFiltered, isUsuallyAscending, NO_FILTERS, NONE, SORTS } from './run-query.ts'

interface RunFiltersProps {
  readonly filters: Filters
  readonly units: Units
  readonly onChange: (changed: Partial<Filters>) => void
  readonly isChoosing: boolean
  readonly onChoosing: (isChoosing: boolean) => void
}

/** Delay between the last key and the request. */
const TYPING_MS = 250

const KINDS = [...RUN_TYPES.map((type) => [type, type] as const), [NONE, 'No type'] as const]

/** Search, types and order are visible; days, distances and shoes are behind a button. */
export function RunFilters({ filters, units, onChange, isChoosing, onChoosing }: RunFiltersProps) {
  const hasRange = [filters.from, filters.to, filters.min, filters.max, filters.shoe].some((value) => value !== '')
  const [isOpen, setOpen] = useState(hasRange)
  return (
    <search class="filters">
      <div class="filter-line">
        <Search value={filters.search} onValue={(search) => onChange({ search })} />
        <div class="order">
          <Select
            label="Order by"
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
        <Button icon="filter" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters
        </Button>
        <Button icon="check" aria-label="Choose runs" aria-pressed={isChoosing} onClick={() => onChoosing(!isChoosing)}>
          <span class="wide-name">Choose</span>
        </Button>
      </div>
      <fieldset class="chips">
        <legend class="hidden-text">Kind of run</legend>
        {KINDS.map(([type, name]) => (
          <button
            key={type}
            type="button"
            class="chip"
            aria-pressed={filters.type === type}
            onClick={() => onChange({ type: filters.type === type ? '' : type })}
          >
            {name}
          </button>
        ))}
        {isFiltered(filters) && (
          <button type="button" class="chip clear" onClick={() => onChange(NO_FILTERS)}>
            <Icon name="close" /> Clear
          </button>
        )}
      </fieldset>
      {isOpen && (
        <div class="ranges">
          <Field label="From" type="date" value={filters.from} onText={(from) => onChange({ from })} />
          <Field label="Until" type="date" value={filters.to} onText={(to) => onChange({ to })} />
          <Field
            label="At least"
            inputMode="decimal"
            suffix={distanceUnit(units)}
            value={filters.min}
            onText={(min) => onChange({ min })}
          />
          <Field
            label="At most"
            inputMode="decimal"
            suffix={distanceUnit(units)}
            value={filters.max}
            onText={(max) => onChange({ max })}
          />
          <ShoeFilter value={filters.shoe} onValue={(shoe) => onChange({ shoe })} />
        </div>
      )}
    </search>
  )
}

/** The order as text for screen readers. */
function orderText({ sort, isAscending }: Filters): string {
  if (sort === 'pace') return isAscending ? 'Fastest first' : 'Slowest first'
  return isAscending ? 'Smallest or oldest first' : 'Largest or newest first'
}

function ShoeFilter({ value, onValue }: { readonly value: string; readonly onValue: (value: string) => void }) {
  const { data } = useResource<Shoe[]>('/shoes')
  const shoes = (data ?? []).map(({ id, brand, model }) => [id, `${brand} ${model}`] as const)
  return (
    <Select<string> label="Shoe" value={value} options={[['', 'Any'], ...shoes, [NONE, 'None']]} onValue={onValue} />
  )
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
        aria-label="Search runs by name, device or source"
        placeholder="Search"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <kbd>/</kbd>
    </div>
  )
}
