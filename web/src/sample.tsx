// A finished review on the first page, to look at before there is one's own: made beforehand (samples/opera.json).
import { useEffect } from 'preact/hooks';

import { Columns } from './columns';
import { Glance } from './glance';
import { GameHead } from './head';
import type { Review } from './types';
import { review, view } from './viewing';

export function SampleReview() {
  useEffect(() => {
    let here = true;
    void fetch('sample.json')
      .then(async answer => (answer.ok && here ? view((await answer.json()) as Review, 30) : undefined))
      .catch(() => undefined); // nothing is lost without it
    return () => {
      here = false;
      view(null);
    };
  }, []);
  return (
    <section class="sample" aria-label="A finished review">
      <p class="quiet">This is what you get: a finished review, to step through.</p>
      {review.value && (
        <>
          <GameHead />
          <Columns>
            <section class="card" aria-label="First look">
              <Glance />
            </section>
          </Columns>
        </>
      )}
    </section>
  );
}
