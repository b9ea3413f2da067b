// The daily series: the coming days, and the puzzles of those that have one.
import { call, may } from "./api.js";
import { element, link, part, pictureOf, waits, withdraw, word } from "./elements.js";

const [SHOWN, MINUTE] = [7, 60_000];
let reading = Promise.resolve(); // Days are read one after the other.

/** The puzzles of days, by series and date. A puzzle can be withdrawn elsewhere, so each is read again after a minute. */
const known = new Map();

export function series(_, signal) {
  const render = ({ series = [] }, refresh) => series.length ? series.map(one => calendar(one, refresh, signal))
    : element("p", { className: "hint" }, "There is no daily series. Declare one as [[series]] in the configuration file, or call CreateDailySeries.");
  return [part("Series", "ListDailySeries", waits => call("ListDailySeries", {}, { waits }), render)];
}

function calendar({ name, kind, variant, endTime, currentDate, daysReady = 0, comingDays = [] }, refresh, signal) {
  // The server shows days that have not begun to makers and higher roles.
  const days = may("ListPuzzles") ? comingDays.slice(0, SHOWN) : comingDays.filter(({ date }) => date === currentDate);
  const rest = may("ListPuzzles") ? comingDays.slice(SHOWN) : [];
  const later = rest.length > 0 && element("p", { className: "hint" }, `Then ${rest.map(({ date, state }) => `${date} ${word(state)}`).join(", ")}.`);
  const ahead = endTime ? "has ended" : `${daysReady} coming days are ready`;
  return element("section", { ariaLabel: name }, element("h3", {}, `${name}: ${word(kind)} ${variant}, ${ahead}`),
    element("ul", { className: "pictures" }, days.map(day => card(name, day, currentDate, refresh, signal))), later);
}

function card(series, { date, state }, today, refresh, signal) {
  const item = element("li", {}, element("b", {}, date), element("span", {}, date === today ? `today, ${word(state)}` : word(state)));
  // GetDailyPuzzle would draw a puzzle for a day without one.
  if (state === "DAY_STATE_READY") reading = reading.then(() => fill(item, series, date, refresh, signal));
  else known.delete(`${series} ${date}`);
  return item;
}

async function fill(item, series, date, refresh, signal) {
  const key = `${series} ${date}`;
  const then = () => known.delete(key) && refresh();
  try {
    let day = known.get(key);
    if (!(day?.until > Date.now())) {
      const { puzzle: { id } } = await call("GetDailyPuzzle", { series, date }, { signal, waits });
      day = { id, address: await pictureOf({ id }, { signal, waits }), until: Date.now() + MINUTE };
      known.set(key, day);
    }
    item.prepend(link(`#puzzle?id=${day.id}`, element("img", { src: day.address, alt: `${day.id}, ${series} of ${date}` })));
    item.append(withdraw(day.id, then));
  } catch (error) {
    if (error.name !== "AbortError") item.append(element("span", { className: "fault" }, error.message));
  }
}
