import { useEffect, useRef, useState } from 'preact/hooks'
import { api, failureText } from '../api.ts'
import type { Run } from '../types.ts'
import { TERMS } from '../words.ts'
import type { Edit } from './types.ts'

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
