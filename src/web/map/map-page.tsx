import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { RUN_TYPES } from '../../engine/limits.ts'
import { useYears } from '../asked.ts'
import { counted, number } from '../format.ts'
import { Link, navigate, useRoute } from '../router.ts'
import type { View } from '../run/map/projection.ts'
import { shoeOptions } from '../run-fields.tsx'
import { useResource } from '../state.ts'
import { Skeleton } from '../ui/button.tsx'
import { Segments, Select } from '../ui/form.tsx'
import { Empty, LoadFailure } from '../ui/loaded.tsx'
import { HeatMap } from './heat-map.tsx'
import {
  filterOf,
  LATELY,
  type MapFilter,
  mapPath,
  nameOf,
  PHOTOS,
  type Place,
  runsQuery,
  SQUARES,
  viewAt,
  viewOf,
} from './map-address.ts'
import { SquaresLine } from './squares.tsx'
import './map.css'

const MOST_PLACES = 40
const PLACE_ZOOM = 13
/** Moving the map changes the address once it is still. */
const STILL_MS = 400

/** Where all the runs went, by any filter. */
export function MapPage() {
  const { query } = useRoute()
  const filter = filterOf(query)
  const runs = runsQuery(filter).toString()
  const { data, error } = useResource(`/map/heat?${runs}`)
  const { data: all } = useResource('/map/heat?')
  const { data: places } = useResource('/places')
  const { data: squares } = useResource(filter.layer === SQUARES ? `/map/squares?${runs}` : null)
  /** Where a figure leads to. */
  const [shown, setShown] = useState<{ readonly view: View } | null>(null)
  const first = useMemo(() => viewOf(query), [])
  const still = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(still.current), [])
  const change = (changed: Partial<MapFilter>) => {
    clearTimeout(still.current)
    navigate(mapPath({ ...filter, ...changed }, viewOf(query)), { replace: true })
  }
  const isEmpty = all?.runs === 0
  return (
    <div class="page map-page">
      <div class="page-head">
        <h1 tabIndex={-1}>Map</h1>
        <Link href="/app/places">Places</Link>
        {places !== null && <PlaceJump places={places.places} onShow={(view) => setShown({ view })} />}
        {data !== null && !isEmpty && (
          <p class="muted" role="status">
            {data.runs === 0 ? 'No matching runs' : counted(data.runs, 'run')}
            {data.filling > 0 && ` · ${number(data.filling)} older runs are still being added`}
          </p>
        )}
      </div>
      {error !== null && data === null ? (
        <LoadFailure message={error.message} />
      ) : all === null || places === null ? (
        <Skeleton height="560px" />
      ) : isEmpty ? (
        <div class="card">
          <Empty icon="streets" title="No routes yet">
            Runs recorded with GPS appear here.
          </Empty>
        </div>
      ) : (
        <>
          <MapFilters filter={filter} onChange={change} />
          {filter.layer === SQUARES && squares !== null && (
            <SquaresLine squares={squares} onShow={(view) => setShown({ view })} />
          )}
          <HeatMap
            filter={filter}
            all={all}
            heat={data}
            places={places.places}
            squares={filter.layer === SQUARES ? squares : null}
            first={first}
            shown={shown}
            onView={(view) => {
              clearTimeout(still.current)
              still.current = setTimeout(() => {
                // another view may be open by now
                if (location.pathname === '/app/map')
                  navigate(mapPath(filterOf(new URLSearchParams(location.search)), view), { replace: true })
              }, STILL_MS)
            }}
          />
        </>
      )}
    </div>
  )
}

/** Leads to a place, the one with the most runs first. */
function PlaceJump({ places, onShow }: { readonly places: readonly Place[]; readonly onShow: (view: View) => void }) {
  const named = places
    .flatMap((place) => {
      const name = nameOf(place)
      return name === null ? [] : [{ name, place }]
    })
    // several places may be near one town
    .filter(({ name }, at, all) => all.findIndex((other) => other.name === name) === at)
    .slice(0, MOST_PLACES)
  if (named.length < 2) return null
  return (
    <Select<string>
      label="Go to a place"
      isLabelHidden
      value=""
      options={[['', 'Go to…'], ...named.map(({ name }) => [name, name] as const)]}
      onValue={(chosen) => {
        const found = named.find(({ name }) => name === chosen)
        if (found !== undefined) onShow(viewAt(found.place, PLACE_ZOOM))
      }}
    />
  )
}

type OnChange = (changed: Partial<MapFilter>) => void

function MapFilters({ filter, onChange }: { readonly filter: MapFilter; readonly onChange: OnChange }) {
  const { data: shoes } = useResource('/shoes')
  const years = useYears()
  const choices = [
    ['time', 'Time', [['', 'All time'], [LATELY, 'Last 30 days'], ...years.map((year) => [year, year] as const)]],
    ['type', 'Run type', [['', 'All types'], ...RUN_TYPES.map((type) => [type, type] as const)]],
    ...(shoes?.length ? [['shoe', 'Shoes', [['', 'All shoes'], ...shoeOptions(shoes)]] as const] : []),
  ] as const
  return (
    <div class="flow gap-3 below-3">
      <Segments
        legend="Layer"
        value={filter.layer}
        options={[
          ['', 'Heat map'],
          [SQUARES, 'Squares'],
          [PHOTOS, 'Photos'],
        ]}
        onValue={(layer) => onChange({ layer })}
      />
      {choices.map(([name, label, options]) => (
        <Select<string>
          key={name}
          label={label}
          isLabelHidden
          value={filter[name]}
          options={options}
          onValue={(chosen) => onChange({ [name]: chosen })}
        />
      ))}
    </div>
  )
}
