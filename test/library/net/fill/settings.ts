// Settings, shoes, keys, the training profile, goals, and what is computed again for them.
import { fit } from '../recordings.ts'
import { daysBefore, type Filling, type Json } from './filling.ts'

export async function settings({ call }: Filling) {
  await call('PUT', '/settings/unit-preference', { unitPreference: 'metric' })
  await call('PUT', '/settings/heart-rate-zones', {
    ...{ calculationMethod: 'Karvonen', restingHeartRateBpm: 50, maxHeartRateBpm: 188 },
  })
  const shoe = async (brand: string, model: string, more: Json = {}): Promise<string> =>
    (await call('POST', '/shoes', { brand, model, ...more })).id
  const ids = {
    kinvara: await shoe('Saucony', 'Kinvara', { initialMileageM: 120_000 }),
    mach: await shoe('Hoka', 'Mach'),
    gone: await shoe('Brooks', 'Ghost'),
    returned: await shoe('Altra', 'Lone Peak'),
  }
  await call('PUT', '/settings/default-shoe', { defaultShoeId: ids.kinvara })
  await call('PUT', '/settings/map', { tiles: true })
  for (const [label, scope] of [
    ['laptop', 'full'],
    ['phone', 'upload'],
    ['sheet', 'read'],
  ])
    await call('POST', '/auth/api-keys', { label, scope })
  return ids
}

export type Shoes = Awaited<ReturnType<typeof settings>>

export async function training({ call }: Filling): Promise<void> {
  await call('PUT', '/settings/training', {
    ...{ sex: 'female', fitnessDays: 40, fatigueDays: 8, fitnessSeed: 10, minRunsPerWeek: 3 },
    entries: [
      { from: null, maxHeartRateBpm: 188, restingHeartRateBpm: 50 },
      { from: '2025-09-01', maxHeartRateBpm: 190, lthrBpm: 170, thresholdPaceS: 290, massKg: 61 },
    ],
  })
  await call('POST', '/training/goals', { metric: 'distanceM', period: 'week', target: 20_000, name: 'A little' })
  await call('POST', '/training/goals', { metric: 'runs', period: 'month', target: 12 })
  const { id } = await call('POST', '/training/goals', { metric: 'load', period: 'week', target: 150 })
  await call('PATCH', `/training/goals/${id}`, { target: 180 })
  const { items } = await call('GET', '/workouts?pageSize=100')
  const withRoute = items.filter(({ hasRoute }: { hasRoute: boolean }) => hasRoute)
  await call('PATCH', `/workouts/${withRoute[0].id}`, { loadSource: 'manual', loadManual: 44 })
  await call('PATCH', `/workouts/${withRoute[1].id}`, { loadSource: 'pace', excludeFromEstimates: true })
  await call('PATCH', `/workouts/${withRoute[2].id}/best-efforts/400`, { isRecord: true })
  await call('PATCH', `/workouts/${withRoute[3].id}/best-efforts/400`, { isRecord: false })
}

export async function recalculations({ call, file, pass }: Filling): Promise<void> {
  const id = await file('in miles.fit', fit({ startMs: daysBefore(2.3), seconds: 720, seed: 250 }))
  await call('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
  await call('POST', `/workouts/${id}/recalculate-splits`)
  await call('PUT', '/settings/unit-preference', { unitPreference: 'metric' })
  await call('POST', '/settings/heart-rate-zones/update-with-recalc', {
    calculationMethod: 'AgeBased',
    age: 35,
    recalculateExisting: true,
  })
  await call('POST', `/workouts/${id}/recalculate-effort`)
  await call('POST', '/stats/best-efforts/recalculate')
  pass(60)
}
