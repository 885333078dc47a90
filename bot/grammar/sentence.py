"""Words of sentences that say nothing about sizing: dropped in a mention or a direct message, refused elsewhere.

Not in the list does not mean understood: in a sentence too, a word that is nearly one of the grammar's is refused as
a slip, and one with figures in it as unknown.
"""

from typing import Final

FILLER: Final = frozenset(
    """
    about above actually add added adds after again ago ahead all almost already also always am amount among another
    any anybody anyone anything anyway are aren around as ask asked asking at away back bad basically be because been
    before being best better between big bigger biggest bit blew blog both bought bring brand but buy by call calls
    came cannot cant care case change check checked cheers clips close come comes coming company completely computer
    considering correct could couldn course currently data day days dead deal decent default did didn die died dies
    different do doable does doesn doing don done dont down drop dropped drops due during each easily easy either else
    end enough entire error errors especially estimate estimated estimator even ever every everyone everything exact
    exactly example except expect expected experience extra fail failed fails far fast faster feasible feel few figure
    file final finally find fine first fits folks following for found four free friend from full-size fully further
    gave general get gets getting give given gives go goes going gone gonna good got graphics great group grow growing
    grows guess guys had half happen happens hard has hasn have haven having he hear heard hello help her here hey hi
    high higher him his hobbyist hold holds home hope hoping house however i id idea if ill im important impossible in
    increase info inside instead interested into is isn isnt issue issues it its ive job jpeg just keep keeps kept
    kind know known knows large larger last late later latest lead learn least leave left length less let lets light
    like likely limit limited limits line lines list little ll lol long longer look looking looks loses lot lots love
    low lower made main make makes making many material math matter max maybe me mean means meant micro might mind
    mine miss missing mode more most mostly move moved moving much must my name near nearly need new next nice no
    nobody none nope nor normal not note nothing now number numbers obviously of off ok okay old on once only onto
    oom ooms oomed oom'd oom-ing open opinion option options order other others ought our ours out over overall own
    page part parts party past paste peak people per perhaps person pipeline pls plus please point possible possibly
    post prefer pretty previous probably problem problems process production project prompt prompts proper properly
    provide pull put question questions quick quickly quite quoted ran range rather re read ready real reality
    realistic realistically really reason reasonable reasonably recommend recommended regular related remember remove
    reply report reported request required requires rest result results return right rough roughly rule runnable runs
    running safe said same sane save say saying says second see seem seems seen sense send sent separate seriously set
    sets several shall share she short should shouldn show showed showing shown shows side similar simple simply
    since situation slightly slow slower small smaller so some somebody somehow someone something sometimes somewhere
    soon sorry sort source spare spend spikes stable standard start started starts state stay stays still stop stuff
    style such suggest suggested support supported suppose supposed sure survive take taken takes taking talk task
    team tell test tested testing text than thank thanks that thats the their them then there theres these they theyre
    thing things think thinking this those though thought through throughput thus till time times tiny to today
    together told tomorrow too took tool tools top tops total totally tried tries trouble true truncated try trying
    turn turned twice two type typical u unable understand unless unlikely until up upgrade ur us use used useful user
    using usual usually ve version very via video vram wait waiting want wanted wants was wasn waste way ways we week
    weird well went were weren wether whats when whenever where wheres whether which while who whole whose why will
    wish with within without won wonder wondering wont word words work worked working works world worse worst worth
    would wouldn wrong yarn yeah year years yes yet you your yours youre
    able absolutely according across active advice advised again against amounts answer appear apps article asap assume
    assuming average beats became become begin bench behind below beside budget bug build building busy cable capable
    cases casually caused cautious chance chances claim claimed clear clearly cluster colab collection colleague combos
    common compare compared config configuration confused consider constantly corner couldnt crash crashed crashes
    crashing cuda current customer cut dear decide depends desk desktop didnt difference disk dm docs doc documents
    doesnt download downloaded downloading drive dump e.g effort eg email eager ends equal estimates eventually explain
    fair false feature fills fixed flag flags forever forget format frames friends fun future game gaming generation
    generate generating giant goal google gpu0 graph guide guideline guidelines handle handles happy hear heavy hell
    highest hint hours however hub huge hundred i'd i'll i'm i've imagine immediately image images included including
    initial init install installed interesting internet intel internal itself keeps kick lack lately laptop layers let's
    linux llm llms llama-family load loaded loader local locally lol long-running lowest luck mac machines mains major
    mention message method mid middle mini minute minutes mixed modded modern monthly morning move multi multiple
    naive naively native needing never nodes non offload offloaded offloading online ones op opposite optimal
    original otherwise outside owner painful paper param params parallel parameter parameters particular pc pcs plan
    planning play plenty popular power practical practice precise prefill print prints private-ish product program
    progress promise prompts pro providers public purpose quality rag rate raw reached regarding relevant reliably rent
    rented rents req research reserve response restart running sadly sample samples says scale script secondhand seen
    sensible server servers service settings setting setup shared should've single-node site sits situation smart
    someone's soon special specific specs spill split splits started step steps story strange structure student stuck
    suddenly suffice sufficient surely system systems taking teams technically term terms thats theory theres thx
    toward towards training-wise trained trains tried trips truth tts twitter under unified updated vs wall watch
    weights website weekend what's wheres who's windows workload workloads workstation worry xl y'all yep
    7am w/o etc etc. imo imho fyi tbh afaik btw ty np plz hmm uh um hm
    跑 用 吗 能 的 要 多少 我 想 在 上 可以 请问 个 呢 吧 了 是 有 和 需要 大概
    """.split()
)

_SLIPS_OF: Final = (
    "lora", "qlora", "infer", "inference", "finetune", "batch", "users", "budget", "private", "unsloth", "torchtune",
    "axolotl", "ollama", "transformers", "concurrent",
)  # fmt: skip


def is_slip(text: str) -> bool:
    """Whether a word is one slip of the finger away from a word of the grammar.

    >>> is_slip("lroa"), is_slip("lion")
    (True, False)
    """
    return any(_one_slip(text, word) for word in _SLIPS_OF if abs(len(text) - len(word)) <= 1)


def _one_slip(text: str, word: str) -> bool:
    """One letter more, less or other, or two neighbours changed about."""
    if text[:1] != word[:1]:
        return False
    start = next(
        (place for place, (a, b) in enumerate(zip(text, word, strict=False)) if a != b), min(len(text), len(word))
    )
    rest, other = text[start:], word[start:]
    return (
        rest[1:] == other
        or rest == other[1:]
        or rest[1:] == other[1:]
        or (rest[:2] == other[1::-1] and rest[2:] == other[2:])
    )
