// Whose moves ours are compared with: which human model answers.
import { signal } from '@preact/signals';

import { forgetExpectation, updateExpectation } from './expectation';
import { chooseModel, status } from './server';
import { opened, restartReview } from './session';
import { review, said } from './viewing';

const busy = signal(false);

async function choose(name: string): Promise<void> {
  busy.value = true;
  const problem = await chooseModel(name);
  busy.value = false;
  said.value = problem || `People are by ${status.value?.model.name} now.`;
  if (problem) return;
  forgetExpectation();
  await updateExpectation();
}

// A finished review keeps what the model it was made with has said, until another one is asked.
function OtherPeople() {
  const used = review.value?.human;
  const model = status.value?.model;
  if (!used || !model || used.sha256 === model.sha256 || opened.value?.state !== 'complete') return null;
  return (
    <p class="quiet">
      The people of this review are by {used.name}.{' '}
      <button type="button" onClick={() => void restartReview()}>
        Ask {model.name} about this game
      </button>
    </p>
  );
}

export function PeoplePanel() {
  const models = status.value?.models ?? [];
  const model = status.value?.model;
  if (!model) return null;
  return (
    <fieldset>
      <legend>People</legend>
      {models.length > 1 ? (
        <label class="option">
          <span>
            Model <span class="quiet">Who says what people of a rating would play.</span>
          </span>
          <select disabled={busy.value} value={models.find(each => each.used)?.name} onChange={event => void choose(event.currentTarget.value)}>
            {models.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p class="quiet">
          By {model.name}. <code>postmortem models get maia3</code> fetches one that knows people better; start the server again after it.
        </p>
      )}
      <p class="quiet">
        {model.name}, ratings {model.lowest_rating} to {model.highest_rating}.
      </p>
      <OtherPeople />
    </fieldset>
  );
}
