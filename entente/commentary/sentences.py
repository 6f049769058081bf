"""What the narrator and the jester say about a fact: short sentences, several for each kind."""

from collections.abc import Mapping

from entente.commentary.facts import FactKind

NARRATED: Mapping[FactKind, tuple[str, ...]] = {
    FactKind.QUIET: (
        "Nothing changes its place in {season}.",
        "{season} passes without a move that counts.",
        "The map of {season} is the map of the phase before.",
    ),
    FactKind.ADVANCED: (
        "{power} moves to {places}.",
        "{power} marches and sails to {places}.",
        "Units of {power} arrive in {places}.",
        "{power} sets out for {places} and gets there.",
        "Units of {power} now stand in {places}.",
    ),
    FactKind.CONVOYED: (
        "{unit} crosses the sea and lands in {place}.",
        "Ships carry {unit} over to {place}.",
        "{place} sees a landing: {unit} has come by convoy.",
        "A convoy brings {unit} to {place}.",
    ),
    FactKind.REPELLED: (
        "{units} does not get into {place}.",
        "{place} stays shut to {units}.",
        "{units} tries {place} and is turned back.",
        "The way to {place} is barred: {units} bounces.",
        "{units} knocks at {place} in vain.",
    ),
    FactKind.STANDOFF: (
        "{units} stand each other off at {place}.",
        "{place} is fought over and stays with neither: {units} bounce.",
        "Nobody gives way at {place}: {units} all turn back.",
        "At {place} the paths of {units} cross, and none gets in.",
    ),
    FactKind.CUT: (
        "{unit} is attacked and its support is cut.",
        "The support of {unit} comes to nothing: it is cut.",
        "{unit} has to look after itself, and helps nobody.",
        "An attack keeps {unit} from giving its support.",
    ),
    FactKind.STRANDED: (
        "{unit} waits for ships to {place} that never carry it.",
        "No convoy takes {unit} to {place}.",
        "{unit} was to cross to {place} and stays ashore.",
        "The passage to {place} fails, and {unit} stays behind.",
    ),
    FactKind.DISLODGED: (
        "{attacker} drives out {unit}.",
        "{unit} is dislodged by {attacker}.",
        "{unit} cannot stand against {attacker} and must leave.",
        "{attacker} attacks, and {unit} loses its ground.",
    ),
    FactKind.RETREATED: (
        "{unit} falls back to {place}.",
        "{unit} finds shelter in {place}.",
        "Beaten, {unit} withdraws to {place}.",
        "{place} takes in what was driven out: {unit}.",
    ),
    FactKind.LOST: (
        "{unit} has nowhere left to go and disbands.",
        "{unit} is no more.",
        "That is the end of {unit}.",
        "{unit} leaves the map for good.",
    ),
    FactKind.BUILT: (
        "{power} builds {units}.",
        "{power} raises {units}.",
        "New in {power}'s service: {units}.",
        "{power} puts {units} on the map.",
    ),
    FactKind.REMOVED: (
        "{power} disbands {units}.",
        "{power} can no longer feed {units}.",
        "{power} gives up {units}.",
        "Without centers to supply them, {power} loses {units}.",
    ),
    FactKind.GAINED: (
        "{power} gains {places}.",
        "{places}: won by {power}.",
        "{power} adds {places} to its centers.",
        "No longer free: {places}, now of {power}.",
    ),
    FactKind.CAPTURED: (
        "{power} takes {places} from {loser}.",
        "{loser} loses {places} to {power}.",
        "{places}: no longer {loser}'s but {power}'s.",
        "{power} captures {places}, and {loser} is the poorer for it.",
    ),
    FactKind.ELIMINATED: (
        "{power} is out of the game.",
        "Nothing is left of {power}.",
        "{power} has lost its last unit and its last center.",
        "The table is one smaller: {power} is eliminated.",
    ),
    FactKind.LEADER: (
        "{power} leads with {count} centers; next comes {next}.",
        "Most centers by now: {power}, with {count} against {next}.",
        "{power} is ahead, {count} centers to {next}.",
        "With {count} centers {power} is in front; the runner-up has {next}.",
    ),
}

JESTED: Mapping[FactKind, tuple[str, ...]] = {
    FactKind.QUIET: (
        "All of {season}, and the bravest thing on the map was the ink.",
        "I have seen paint dry with more ambition than {season}.",
    ),
    FactKind.ADVANCED: (
        "{power} in {places}! Somebody finally read the map the right way up.",
        "{power} goes to {places}, as if nobody would ever want it back.",
        "I would wish {power} joy of {places}, but joy is rationed here.",
    ),
    FactKind.CONVOYED: (
        "{unit} got to {place} with dry boots. The sea must have been asleep.",
        "They ferried {unit} to {place}, and for once nobody drowned.",
    ),
    FactKind.REPELLED: (
        "{units} knocked at {place}. Nobody was at home, and nobody opened.",
        "{place} sends its regrets to {units}.",
        "{units} against {place}: the wall won, as walls do.",
    ),
    FactKind.STANDOFF: (
        "{units} all wanted {place}, and now it has the quietest inn of the year.",
        "{place} thanks {units} for their interest.",
    ),
    FactKind.CUT: (
        "{unit} promised support, and then somebody coughed.",
        "Support from {unit}: gone before the ink was dry.",
    ),
    FactKind.STRANDED: (
        "{unit} is still on the pier with its trunks packed for {place}.",
        "{place} waited for {unit}. The ships had other plans.",
    ),
    FactKind.DISLODGED: (
        "{attacker} calls it a visit; {unit} calls it moving out.",
        "{unit} was told to pack, and {attacker} held the door.",
    ),
    FactKind.RETREATED: (
        "{unit} calls {place} a strategic position. It has a bed, at least.",
        "{place} it is, then, for {unit}. There were not many brochures.",
    ),
    FactKind.LOST: (
        "{unit} leaves its boots to whoever they fit.",
        "A moment of silence for {unit}. That will do.",
    ),
    FactKind.BUILT: (
        "{power} raises {units}. Whom it will be marched against, nobody has been told.",
        "{units} for {power}: fresh paint, same quarrel.",
    ),
    FactKind.REMOVED: (
        "{power} sends home {units}. The cook will be glad.",
        "{units}, says {power}? Never heard of it.",
    ),
    FactKind.GAINED: (
        "{places} had no say in it, but welcome to {power} all the same.",
        "{power} found {places} lying about and picked it up.",
    ),
    FactKind.CAPTURED: (
        "{power} has borrowed {places} from {loser}. It did not say for how long.",
        "{loser} mislaid {places}; {power} was kind enough to find it.",
    ),
    FactKind.ELIMINATED: (
        "{power} may keep the chair. It is the crown that has to go back.",
        "Farewell {power}: it fought well, in places.",
    ),
    FactKind.LEADER: (
        "{power} has {count} centers. Its friends have begun to count as well.",
        "{count} centers, {power}! Nobody will send you letters like the old ones now.",
    ),
}
