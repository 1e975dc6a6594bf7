const STEP_KEY = 'harrier.welcome'
const LAST_STEP = 2

/** The step of the first minutes that is under way in this browser; null: none is. */
export function welcomeStep(): number | null {
  const stored = Number(localStorage.getItem(STEP_KEY) ?? Number.NaN)
  return Number.isInteger(stored) && stored > 0 && stored <= LAST_STEP ? stored : null
}

/** @param step null: it is over */
export function keepWelcomeStep(step: number | null): void {
  if (step === null) localStorage.removeItem(STEP_KEY)
  else localStorage.setItem(STEP_KEY, String(step))
}
