const STEP_KEY = 'harrier.welcome'
const LAST_STEP = 2

/** The current step of the set-up in this browser; null: none. */
export function welcomeStep(): number | null {
  const stored = Number(localStorage.getItem(STEP_KEY) ?? Number.NaN)
  return Number.isInteger(stored) && stored > 0 && stored <= LAST_STEP ? stored : null
}

/** @param step null: the set-up is complete */
export function keepWelcomeStep(step: number | null): void {
  if (step === null) localStorage.removeItem(STEP_KEY)
  else localStorage.setItem(STEP_KEY, String(step))
}
